'use client';

import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { useRole } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import type { IssuedInvitation, Team } from '@/server/features/team/team.schema';
import type { LinkToHandOver } from './invitation-link-dialog';
import { Invitations } from './invitations';
import { Members } from './members';
import { RequireTwoFactor } from './require-two-factor';

const InviteDialog = onDemandComponent(() => import('./invite-dialog').then((module) => module.InviteDialog));
const InvitationLinkDialog = onDemandComponent(() =>
  import('./invitation-link-dialog').then((module) => module.InvitationLinkDialog),
);

/** The members of the business, its invitations, and what it requires of both. */
export function TeamSettings() {
  const trpc = useTRPC();
  const team = useQuery(trpc.members.team.queryOptions({}));
  const role = useRole() ?? 'viewer';
  const [isInviting, setInviting] = useState(false);
  const [handOver, setHandOver] = useState<LinkToHandOver | null>(null);
  const onIssued = (email: string, { url }: IssuedInvitation) => {
    if (url !== null) setHandOver({ email, url });
  };
  const invite = (
    <Button variant="primary" size="sm" needs="members:write" onPress={() => setInviting(true)}>
      <UserPlus aria-hidden />
      Invite
    </Button>
  );
  const { data } = team;
  return (
    <>
      <SectionCard
        title="Members"
        description="People who work for this business, each with their own account."
        actions={data && !isAlone(data) && invite}
        flush
      >
        <ListBody
          what="the team"
          error={data ? null : team.error}
          onRetry={() => void team.refetch()}
          isLoaded={data !== undefined}
          isEmpty={false}
          empty={null}
          lines={4}
        >
          {data && <Members team={data} role={role} />}
          {data && isAlone(data) && (
            <EmptyState
              icon={Users}
              title="Just you so far"
              description="Invite colleagues, and choose what each of them can do."
              action={invite}
            />
          )}
        </ListBody>
      </SectionCard>
      {data && data.invitations.length > 0 && (
        <SectionCard title="Invitations" description="Links work for 7 days and for the invited address only." flush>
          <Invitations team={data} role={role} onIssued={onIssued} />
        </SectionCard>
      )}
      {data && <RequireTwoFactor team={data} />}
      {isInviting && data && (
        <InviteDialog role={role} canSendMail={data.canSendMail} onClose={() => setInviting(false)} onIssued={onIssued} />
      )}
      {handOver && <InvitationLinkDialog {...handOver} onClose={() => setHandOver(null)} />}
    </>
  );
}

/** True for a team of one without invitations. */
function isAlone({ members, invitations }: Team): boolean {
  return members.length === 1 && invitations.length === 0;
}
