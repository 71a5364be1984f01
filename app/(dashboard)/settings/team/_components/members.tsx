import { ChevronDown, Ellipsis } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ChoiceMenu } from '@/app/_kit/choice-menu';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { RelativeTime } from '@/app/_kit/relative-time';
import { roleLabels } from '@/app/_kit/role-labels';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { Team, TeamMember } from '@/server/features/team/team.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { canChangeRole, canManage, isLastOwner, memberName, rolesToGive } from './team-rules';
import { useSetRole } from './use-set-role';

const MakeOwnerDialog = onDemandComponent(() => import('./member-dialogs').then((module) => module.MakeOwnerDialog));
const RemoveMemberDialog = onDemandComponent(() => import('./member-dialogs').then((module) => module.RemoveMemberDialog));
const LeaveDialog = onDemandComponent(() =>
  import('../../../_components/team/leave-dialog').then((module) => module.LeaveDialog),
);

type Asking = { kind: 'owner' | 'remove' | 'leave'; member: TeamMember };

interface MembersProps {
  team: Team;
  /** The role of the signed-in member. */
  role: TeamRole;
}

/** The members as a table; on a phone, a list of two lines each. */
export function Members({ team, role }: MembersProps) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const columns = useMemo(() => memberColumns({ team, role, onAsk: setAsking }), [team, role]);
  const rows = team.members.map((member) => ({ ...member, id: member.userId }));
  const close = () => setAsking(null);
  return (
    <>
      <DataTable label="Members" columns={columns} rows={rows} isInCard />
      {asking?.kind === 'owner' && <MakeOwnerDialog member={asking.member} onClose={close} />}
      {asking?.kind === 'remove' && <RemoveMemberDialog member={asking.member} onClose={close} />}
      {asking?.kind === 'leave' && <LeaveDialog onClose={close} />}
    </>
  );
}

type Row = TeamMember & { id: string };

interface ColumnOptions extends MembersProps {
  onAsk: (asking: Asking) => void;
}

function memberColumns({ team, role, onAsk }: ColumnOptions): readonly DataColumn<Row>[] {
  return [
    { header: 'Name', phone: 'title', cell: (member) => <Person member={member} /> },
    {
      header: 'Role',
      phone: 'line-end',
      className: 'md:w-32',
      cell: (member) => <Role team={team} role={role} member={member} onAsk={onAsk} />,
    },
    {
      header: 'Last active',
      phone: 'line',
      className: 'text-muted md:w-28',
      cell: ({ lastActiveAt }) => (
        <>
          <span className="md:hidden">Active </span>
          {lastActiveAt === null ? 'Never' : <RelativeTime value={lastActiveAt} />}
        </>
      ),
    },
    {
      header: 'Joined',
      phone: 'hidden',
      className: 'text-muted md:w-28',
      cell: ({ joinedAt }) => <RelativeTime value={joinedAt} />,
    },
    {
      header: 'Actions',
      hidesHeader: true,
      phone: 'aside',
      className: 'md:w-17 md:text-right max-md:col-start-3! max-md:row-[1/3]! max-md:-mr-2',
      cell: (member) => <MemberMenu team={team} role={role} member={member} onAsk={onAsk} />,
    },
  ];
}

function Person({ member }: { member: TeamMember }) {
  const name = memberName(member);
  return (
    <span className="flex min-w-0 items-center gap-3 py-2 max-md:py-0">
      <PersonAvatar name={name} photoUrl={member.photoUrl} />
      <span className="block min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate" title={name}>
            {name}
          </span>
          {member.isSelf && <span className="shrink-0 font-normal text-muted">You</span>}
          {member.hasTwoFactor && (
            <span title="Signs in with two-factor authentication" className="inline-flex shrink-0">
              <StatusBadge tone="success">2FA</StatusBadge>
            </span>
          )}
        </span>
        {name !== member.email && (
          <span className="block truncate font-normal text-muted" title={member.email}>
            {member.email}
          </span>
        )}
      </span>
    </span>
  );
}

interface MemberProps extends ColumnOptions {
  member: TeamMember;
}

/** The role, as a menu for members who may change it. */
function Role({ team, role, member, onAsk }: MemberProps) {
  const setRole = useSetRole(member);
  const { label } = roleLabels[member.role];
  if (!canChangeRole(team, role, member)) return <span>{label}</span>;
  const choose = (next: TeamRole) => {
    if (next === 'owner') onAsk({ kind: 'owner', member });
    else setRole.mutate({ userId: member.userId, role: next });
  };
  return (
    <ChoiceMenu
      label={`Role of ${memberName(member)}`}
      placement="bottom end"
      value={member.role}
      onChange={choose}
      choices={rolesToGive(role).map((value) => ({ value, ...roleLabels[value] }))}
    >
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 px-2! max-md:-mr-2 max-md:ml-0 max-md:h-8"
        aria-label={`Role of ${memberName(member)}: ${label}`}
        isDisabled={setRole.isPending}
      >
        {label}
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
    </ChoiceMenu>
  );
}

/** What else can be done about a member. */
function MemberMenu({ team, role, member, onAsk }: MemberProps) {
  const name = memberName(member);
  const isManaged = !member.isSelf && canManage(role, member.role);
  const canMakeOwner = isManaged && role === 'owner' && member.role !== 'owner';
  if (!isManaged && !member.isSelf) return null;
  const isStuck = member.isSelf && isLastOwner(team, member);
  return (
    <Dropdown>
      <IconButton label={member.isSelf ? 'Actions for you' : `Actions for ${name}`}>
        <Ellipsis aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-60">
        <Dropdown.Menu
          aria-label={`Actions for ${name}`}
          disabledKeys={isStuck ? ['leave'] : []}
          onAction={(key) => onAsk({ kind: key as Asking['kind'], member })}
        >
          {canMakeOwner && (
            <Dropdown.Item id="owner" textValue="Make owner">
              Make owner…
            </Dropdown.Item>
          )}
          {isManaged && (
            <Dropdown.Item id="remove" textValue="Remove" className="text-danger-text">
              Remove…
            </Dropdown.Item>
          )}
          {member.isSelf && (
            <Dropdown.Item id="leave" textValue="Leave" className="text-danger-text">
              <span className="flex min-w-0 flex-col">
                Leave…
                {isStuck && (
                  <span className="text-xs text-muted">A business needs an owner. Make someone else an owner first.</span>
                )}
              </span>
            </Dropdown.Item>
          )}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
