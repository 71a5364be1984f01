import { useQuery } from '@tanstack/react-query';
import { initialsOf } from '@/app/_kit/initials';
import { useTRPC } from '@/app/_trpc/client';
import type { Assignee } from '@/server/features/conversations/conversation.schema';

/** Who a conversation is assigned to, as initials or an agent's emoji. */
export function AssigneeMark({ assignee }: { assignee: Assignee }) {
  const { type, id, name } = assignee;
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.agents.list.queryOptions({ limit: 100 }), enabled: type === 'agent' });
  const emoji = type === 'agent' ? data?.agents.find((agent) => agent.id === id)?.avatarEmoji.trim() : '';
  const label = `Assigned to ${name}`;
  return (
    <span
      title={label}
      className={`flex size-5 shrink-0 items-center justify-center rounded-full text-xs leading-none font-medium select-none ${
        emoji ? '' : 'bg-default text-muted'
      }`}
    >
      <span aria-hidden>{emoji || initialsOf(name)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
