import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { TeamMember } from '@/server/features/team/team.schema';
import { memberName } from './team-rules';
import { useSetRole } from './use-set-role';

interface MemberDialogProps {
  member: TeamMember;
  onClose: () => void;
}

/** Confirms making a member an owner. */
export function MakeOwnerDialog({ member, onClose }: MemberDialogProps) {
  const setRole = useSetRole(member, onClose);
  const name = memberName(member);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Make ${name} an owner?`}
      description="Owners can do everything, including removing other owners and deleting the business. You stay an owner, too."
      confirmLabel="Make owner"
      isPending={setRole.isPending}
      onConfirm={() => setRole.mutate({ userId: member.userId, role: 'owner' })}
    />
  );
}

/** Confirms removing a member. */
export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const name = memberName(member);
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.members.pathFilter());
        toast(`${name} was removed`);
        onClose();
      },
      onError: (error) => toast.failure(`Couldn’t remove ${name}.`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      description={`${name} loses access immediately and is notified by email. What they wrote and changed stays. You can invite them again.`}
      confirmLabel="Remove"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ userId: member.userId })}
    />
  );
}
