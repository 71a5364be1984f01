import * as z from 'zod';
import { type AgentDetail, type UpdateAgentInput, updateAgentInput } from '@/server/modules/agents/agent.schema';

/** An agent's persona as the form holds it: what is not set is empty. Paths are those of the procedure. */
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

/** What is saved on its own, and what it is called. */
export const personaPartNames = {
  name: 'Name',
  tags: 'Tags',
  avatarUrl: 'Picture',
  'persona.tone': 'Tone',
  'persona.traits': 'Traits',
  'persona.bio': 'Bio',
  'persona.signature': 'Signature',
  'persona.avatarUrl': 'Picture in mail',
  'persona.avatarEmoji': 'Emoji',
} as const;

export type PersonaPart = keyof typeof personaPartNames;

/** The stored agent as form values. */
export function toPersonaValues({ name, tags, avatarUrl, config }: AgentDetail): PersonaValues {
  const { tone = '', traits = [], bio = '', signature = '', avatarUrl: picture = '', avatarEmoji = '' } = config.persona;
  return { name, tags, avatarUrl, persona: { tone, traits, bio, signature, avatarUrl: picture, avatarEmoji } };
}

/** An emptied text is removed, not stored as an empty one. */
const orNull = (text: string) => (text.trim() === '' ? null : text);

const changeInput = updateAgentInput.omit({ agentId: true, status: true });

function toInput({ name, tags, avatarUrl, persona }: PersonaValues): z.input<typeof changeInput> {
  return {
    name,
    tags,
    avatarUrl: avatarUrl.trim(),
    persona: {
      tone: orNull(persona.tone),
      traits: persona.traits.length === 0 ? null : persona.traits,
      bio: orNull(persona.bio),
      signature: orNull(persona.signature),
      avatarUrl: orNull(persona.avatarUrl.trim()),
      avatarEmoji: orNull(persona.avatarEmoji.trim()),
    },
  };
}

/** The procedure's own rules for what the form holds. */
export const personaSchema = z.custom<PersonaValues>().transform(toInput).pipe(changeInput);

/** The change that saves only the parts that differ; what it leaves out stays as it is. */
export function toPersonaUpdate(values: PersonaValues, changed: ReadonlySet<PersonaPart>): Omit<UpdateAgentInput, 'agentId'> {
  const { persona, ...fields } = personaSchema.parse(values);
  const ownKeys = (['name', 'tags', 'avatarUrl'] as const).filter((key) => changed.has(key));
  const personaKeys = (['tone', 'traits', 'bio', 'signature', 'avatarUrl', 'avatarEmoji'] as const).filter((key) =>
    changed.has(`persona.${key}`),
  );
  return {
    ...Object.fromEntries(ownKeys.map((key) => [key, fields[key]])),
    ...(personaKeys.length > 0 ? { persona: Object.fromEntries(personaKeys.map((key) => [key, persona?.[key]])) } : {}),
  };
}
