/** What forms need of the schema without its weight: constants, and nothing imported. */

/** Limits of a persona's parts, in characters; the editor counts against them. */
export const personaLimits = { tone: 200, trait: 60, traits: 20, bio: 4000, signature: 2000, avatarEmoji: 16 } as const;
