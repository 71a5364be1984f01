import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { roleLabels } from '@/app/_kit/role-labels';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { TeamMember } from '@/server/features/team/team.schema';
import { memberName } from './team-rules';

/** Changes a member's role, and says so. */
export function useSetRole(member: TeamMember, onDone?: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const name = memberName(member);
  return useMutation(
    trpc.members.setRole.mutationOptions({
      onSuccess: async (_answer, { role }) => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.members.pathFilter()),
          // One's own role decides about every page.
          ...(member.isSelf ? [queryClient.fetchQuery(trpc.account.get.queryOptions({}, { staleTime: 0 }))] : []),
        ]);
        if (member.isSelf) router.refresh();
        toast(`${member.isSelf ? 'You are' : `${name} is`} now ${roleLabels[role].inSentence}`);
        onDone?.();
      },
      onError: (error) => toast.failure(`Couldn’t change the role of ${name}.`, error),
    }),
  );
}
