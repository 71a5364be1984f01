import * as z from 'zod';
import { type UpdateAgentInput, updateAgentInput } from '@/server/features/agents/agent.schema';
import type { PersonaPart, PersonaValues } from './persona-values';

/** An emptied text is removed instead of being stored empty. */
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

/** The procedure's rules, applied to the form's values. */
export const personaSchema = z.custom<PersonaValues>().transform(toInput).pipe(changeInput);

/** An update with only the parts that differ; omitted ones stay unchanged. */
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
