import * as z from 'zod';
import { type CreateAgentInput, createAgentInput } from '@/server/features/agents/agent.schema';
import type { kindOptions } from './agent-labels';

export interface NewAgentValues {
  name: string;
  roleId: string;
  kind: (typeof kindOptions)[number]['value'];
  ownKind: string;
}

export const blankAgent: NewAgentValues = { name: '', roleId: '', kind: 'assistant', ownKind: '' };

const { name, roleId, kind } = createAgentInput.shape;

/** The procedure's rules; the typed kind counts only if it was asked for. */
export const newAgentSchema = z.object({ name, roleId, kind: z.string(), ownKind: z.string() }).superRefine((values, context) => {
  if (values.kind !== 'own') return;
  const issue = kind.safeParse(values.ownKind).error?.issues[0];
  if (issue) context.addIssue({ code: 'custom', path: ['ownKind'], message: issue.message });
});

export function toNewAgent(values: NewAgentValues): CreateAgentInput {
  return { name: values.name, roleId: values.roleId, kind: values.kind === 'own' ? values.ownKind : values.kind };
}

/** The domain of an address; null if there is no address. */
export function domainOf(email: string | undefined): string | null {
  return email?.split('@').at(-1) || null;
}
