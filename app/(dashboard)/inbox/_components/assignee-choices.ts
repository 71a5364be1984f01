import type { AgentRecord } from '@/server/features/agents/agent.schema';
import type { Assignee } from '@/server/features/conversations/conversation.schema';
import type { MemberList } from '@/server/features/team/team.schema';

/** A choice of the picker; null means no assignee. */
export interface AssigneeChoice {
  value: string;
  label: string;
  assignee: Assignee | null;
}

type Member = MemberList['members'][number];
type Agent = Pick<AgentRecord, 'id' | 'name' | 'avatarEmoji' | 'status'>;

/** The value of a choice. */
export const assigneeValue = (assignee: Assignee | null): string => (assignee ? `${assignee.type}:${assignee.id}` : 'none');

function memberChoice({ userId, displayName, email = '' }: Member, selfId: string | undefined): AssigneeChoice[] {
  if (userId === null) return [];
  const name = displayName.trim();
  // As the server names them, until it answers.
  const assignee = { type: 'member', id: userId, name: name || email.replace(/@.*/, '') } as const;
  const label = userId === selfId ? 'Me' : name || email;
  return [{ value: assigneeValue(assignee), label, assignee }];
}

function agentChoice({ id, name, avatarEmoji }: Agent): AssigneeChoice {
  const assignee = { type: 'agent', id, name } as const;
  return { value: assigneeValue(assignee), label: `${avatarEmoji} ${name}`.trim(), assignee };
}

const byLabel = (a: AssigneeChoice, b: AssigneeChoice) => a.label.localeCompare(b.label);

/** All that a conversation can be assigned to: the person themselves, other members, active agents, and no one. */
export function assigneeChoices(
  members: readonly Member[],
  agents: readonly Agent[],
  selfId: string | undefined,
): AssigneeChoice[] {
  const people = members.flatMap((member) => memberChoice(member, selfId));
  const isSelf = ({ assignee }: AssigneeChoice) => assignee?.id === selfId;
  return [
    ...people.filter(isSelf),
    ...people.filter((choice) => !isSelf(choice)).sort(byLabel),
    ...agents
      .filter(({ status }) => status === 'active')
      .map(agentChoice)
      .sort(byLabel),
    { value: assigneeValue(null), label: 'Unassigned', assignee: null },
  ];
}

/** The choices of the list's filter, by what the API takes. */
export function assigneeFilters(choices: readonly AssigneeChoice[]): { value: string; label: string }[] {
  const others = choices.flatMap(({ label, assignee }) =>
    assignee === null || label === 'Me' ? [] : [{ value: assignee.id, label }],
  );
  return [{ value: 'me', label: 'Assigned to me' }, { value: 'none', label: 'Unassigned' }, ...others];
}
