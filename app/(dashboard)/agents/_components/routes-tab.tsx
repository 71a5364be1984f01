'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { RouteEditor } from './route-editor';

/** Whom an agent asks when it needs a person: the tab of its page where that is seen and changed. */
export function RoutesTab({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.agents.hitl.queryOptions({ agentId }));
  if (data) return <RouteEditor key={data.agentId} escalation={data} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} title="The routes could not be loaded" />;
  return <SkeletonLines shape="text" lines={8} label="Loading routes" />;
}
