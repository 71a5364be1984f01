import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/app/_trpc/client';

/** Reads the account again after a change of the profile, for this page and for the frame around it. */
export function useRefreshAccount(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.account.get.queryFilter()),
      queryClient.invalidateQueries(trpc.members.team.queryFilter()),
    ]);
    // The frame's menu comes from the server.
    router.refresh();
  };
}
