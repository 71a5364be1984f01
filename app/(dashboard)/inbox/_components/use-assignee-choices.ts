import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { useTRPC } from '@/app/_trpc/client';
import { type AssigneeChoice, assigneeChoices } from './assignee-choices';

/** All that a conversation can be assigned to; only "Unassigned" until members and agents are known. */
export function useAssigneeChoices(): AssigneeChoice[] {
  const trpc = useTRPC();
  const members = useQuery(trpc.members.list.queryOptions({})).data?.members;
  const agents = useQuery(trpc.agents.list.queryOptions({ limit: 100 })).data?.agents;
  const selfId = useDraftScope()?.userId;
  return useMemo(() => assigneeChoices(members ?? [], agents ?? [], selfId), [members, agents, selfId]);
}
