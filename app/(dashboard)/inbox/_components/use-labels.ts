import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Label } from '@/server/features/conversations/label.schema';

const none: Label[] = [];

/** The labels of the business, by name. */
export function useLabels(): Label[] {
  return useQuery(useTRPC().labels.list.queryOptions({})).data?.labels ?? none;
}
