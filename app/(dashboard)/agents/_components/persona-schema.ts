import * as z from 'zod';
import { onlyChanged, orNull } from '@/app/_kit/form-values';
import { updateAgentInput } from '@/server/features/agents/agent.schema';
import type { PersonaValues } from './persona-values';

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
export const toPersonaUpdate = (values: PersonaValues, changed: ReadonlySet<string>) =>
  onlyChanged(personaSchema.parse(values), changed);
