/** Constants for forms, without imports, so that they don't load the schema. */

/** Limits of a persona's parts, in characters; the editor's counters use them. */
export const personaLimits = { tone: 200, trait: 60, traits: 20, bio: 4000, signature: 2000, avatarEmoji: 16 } as const;
