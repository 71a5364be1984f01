import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { RelativeTime } from '@/app/_kit/relative-time';
import { roleLabels } from '@/app/_kit/role-labels';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { InvitationRecord, IssuedInvitation, Team } from '@/server/features/team/team.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { canManage } from './team-rules';

interface InvitationsProps {
  team: Team;
  /** The role of the signed-in member. */
  role: TeamRole;
  onIssued: (email: string, issued: IssuedInvitation) => void;
}

/** Who was invited and has not answered. */
export function Invitations({ team, role, onIssued }: InvitationsProps) {
  const [revoking, setRevoking] = useState<InvitationRecord | null>(null);
  const resend = useResend(onIssued);
  const { mutate } = resend;
  const columns = useMemo(
    () =>
      invitationColumns((invitation) =>
        canManage(role, invitation.role) ? (
          <InvitationMenu invitation={invitation} onResend={() => mutate(invitation)} onRevoke={() => setRevoking(invitation)} />
        ) : null,
      ),
    [role, mutate],
  );
  return (
    <>
      <DataTable label="Invitations" columns={columns} rows={team.invitations} isInCard />
      {revoking && <RevokeDialog invitation={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function invitationColumns(menu: (invitation: InvitationRecord) => React.ReactNode): readonly DataColumn<InvitationRecord>[] {
  return [
    {
      header: 'Email',
      phone: 'title',
      cell: ({ email, invitedBy }) => (
        <span className="block py-2 max-md:py-0">
          <span className="block truncate" title={email}>
            {email}
          </span>
          {invitedBy !== null && (
            <span className="block truncate font-normal text-muted max-md:hidden">Invited by {invitedBy}</span>
          )}
        </span>
      ),
    },
    { header: 'Role', phone: 'line', className: 'md:w-32', cell: ({ role }) => roleLabels[role].label },
    {
      header: 'Sent',
      phone: 'hidden',
      className: 'text-muted md:w-28',
      cell: ({ sentAt }) => <RelativeTime value={sentAt} />,
    },
    {
      header: 'Expires',
      phone: 'line-end',
      className: 'text-muted md:w-28',
      cell: ({ isExpired, expiresAt }) =>
        isExpired ? (
          <StatusBadge tone="warning">Expired</StatusBadge>
        ) : (
          <>
            <span className="md:hidden">Expires </span>
            <RelativeTime value={expiresAt} />
          </>
        ),
    },
    {
      header: 'Actions',
      hidesHeader: true,
      phone: 'aside',
      className: 'md:w-17 md:text-right max-md:col-start-3! max-md:row-[1/3]! max-md:-mr-2',
      cell: menu,
    },
  ];
}

interface InvitationMenuProps {
  invitation: InvitationRecord;
  onResend: () => void;
  onRevoke: () => void;
}

function InvitationMenu({ invitation, onResend, onRevoke }: InvitationMenuProps) {
  const label = `Actions for ${invitation.email}`;
  return (
    <Dropdown>
      <IconButton label={label}>
        <Ellipsis aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-52">
        <Dropdown.Menu aria-label={label} onAction={(key) => (key === 'resend' ? onResend() : onRevoke())}>
          <Dropdown.Item id="resend" textValue="Resend">
            <span className="flex min-w-0 flex-col">
              Resend
              <span className="text-xs text-muted">A new link replaces the old one.</span>
            </span>
          </Dropdown.Item>
          <Dropdown.Item id="revoke" textValue="Revoke" className="text-danger-text">
            Revoke…
          </Dropdown.Item>
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}

function useResend(onIssued: InvitationsProps['onIssued']) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const resend = useMutation(trpc.members.resendInvitation.mutationOptions());
  return useMutation({
    mutationFn: ({ id }: InvitationRecord) => resend.mutateAsync({ id }),
    onSuccess: async (issued, { email }) => {
      await queryClient.invalidateQueries(trpc.members.pathFilter());
      if (issued.url === null) toast('Invitation sent', { description: email });
      onIssued(email, issued);
    },
    onError: (error, { email }) => toast.failure(`Couldn’t resend the invitation of ${email}.`, error),
  });
}

/** Asks before a link stops working. */
function RevokeDialog({ invitation: { id, email }, onClose }: { invitation: InvitationRecord; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.members.revokeInvitation.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.members.pathFilter());
        toast('Invitation revoked', { description: email });
        onClose();
      },
      onError: (error) => toast.failure('Couldn’t revoke the invitation.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Revoke the invitation of ${email}?`}
      description="The link stops working. You can invite them again."
      confirmLabel="Revoke invitation"
      tone="danger"
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id })}
    />
  );
}
