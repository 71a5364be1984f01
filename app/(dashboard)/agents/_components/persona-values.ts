import type { AgentDetail } from '@/server/features/agents/agent.schema';

/** An agent's persona as form values: unset texts are empty. Paths match the procedure. */
export interface PersonaValues {
  name: string;
  tags: string[];
  avatarUrl: string;
  persona: {
    tone: string;
    traits: string[];
    bio: string;
    signature: string;
    avatarUrl: string;
    avatarEmoji: string;
  };
}

/** The parts that are saved separately, with their labels. */
export const personaPartNames = {
  name: 'Name',
  tags: 'Tags',
  avatarUrl: 'Image URL',
  'persona.tone': 'Tone',
  'persona.traits': 'Personality',
  'persona.bio': 'Bio',
  'persona.signature': 'Signature',
  'persona.avatarUrl': 'Email photo URL',
  'persona.avatarEmoji': 'Emoji',
} as const;

/** The stored agent as form values. */
export function toPersonaValues({ name, tags, avatarUrl, config }: AgentDetail): PersonaValues {
  const { tone = '', traits = [], bio = '', signature = '', avatarUrl: picture = '', avatarEmoji = '' } = config.persona;
  return { name, tags, avatarUrl, persona: { tone, traits, bio, signature, avatarUrl: picture, avatarEmoji } };
}
