import type { AuditEntry } from '@/server/features/audit/audit.schema';

/** The page of a record in the dashboard. */
interface RecordLink {
  href: string;
  /** Text of the link: "Open customer". */
  label: string;
}

/** The page of an entry's record, or of its parent; null if there is none. */
export function recordLink({ resource, resourceId, parentId }: AuditEntry): RecordLink | null {
  const partOf = (path: string, label: string) => (parentId === null ? null : { href: `${path}${parentId}`, label });
  switch (resource) {
    case 'customer':
      return { href: `/customers/${resourceId}`, label: 'Open customer' };
    case 'contact':
      return partOf('/customers/', 'Open customer');
    case 'conversation':
      return { href: `/inbox/${resourceId}`, label: 'Open conversation' };
    case 'message':
    case 'note':
      return partOf('/inbox/', 'Open conversation');
    case 'agent':
      return { href: `/agents/${resourceId}`, label: 'Open agent' };
    case 'escalation_route':
      return parentId === null ? null : { href: `/agents/${parentId}?tab=routes`, label: 'Open escalation steps' };
    case 'post':
      return { href: `/posts/${resourceId}`, label: 'Open post' };
    case 'event':
      return { href: `/calendar?event=${resourceId}`, label: 'Open event' };
    case 'mail':
      return { href: `/outbox?mail=${resourceId}`, label: 'Open email' };
    case 'invitee':
      return partOf('/calendar?event=', 'Open event');
    default:
      return linksOfKinds[resource] ?? null;
  }
}

/** Kinds whose records have no page. */
const linksOfKinds: Partial<Record<AuditEntry['resource'], RecordLink>> = {
  account: { href: '/settings', label: 'Open settings' },
  address: { href: '/identity', label: 'Open business profile' },
  api_key: { href: '/api-keys', label: 'Open API keys' },
  blog: { href: '/posts', label: 'Open blog' },
  calendar_feed: { href: '/calendar', label: 'Open calendar' },
  identity: { href: '/identity', label: 'Open business profile' },
  oidc_account: { href: '/settings/sign-in', label: 'Open sign-in settings' },
  quarantined_mail: { href: '/quarantine', label: 'Open blocked messages' },
  passkey: { href: '/settings/sign-in', label: 'Open sign-in settings' },
  session: { href: '/settings/sign-in', label: 'Open sign-in settings' },
  blocked_sender: { href: '/settings/blocked-senders', label: 'Open blocked senders' },
  label: { href: '/settings/labels', label: 'Open labels' },
  mailbox: { href: '/settings/mailboxes', label: 'Open mailboxes' },
  mailbox_client: { href: '/settings/mailboxes', label: 'Open mailboxes' },
  snippet: { href: '/settings/snippets', label: 'Open snippets' },
  two_factor: { href: '/settings/sign-in', label: 'Open sign-in settings' },
};

/** The id whose history includes an entry: the parent's for a part. */
export function historyId({ resourceId, parentId }: AuditEntry): string {
  return parentId ?? resourceId;
}

/** Ids of records that these entries, newest first, show to be deleted, and not restored since. */
export function deletedIds(entries: readonly AuditEntry[]): ReadonlySet<string> {
  const isDeleted = new Map<string, boolean>();
  for (const { action, resource, resourceId } of entries) {
    // Ids of routes are numbers within their agent; a second factor has the id of its account.
    if (action === 'updated' || resource === 'escalation_route' || resource === 'two_factor') continue;
    if (!isDeleted.has(resourceId)) isDeleted.set(resourceId, action === 'deleted');
  }
  return new Set([...isDeleted].flatMap(([id, isGone]) => (isGone ? [id] : [])));
}

/** True for a record without a page because these entries show that it was deleted. */
export function isGone({ resource, resourceId, parentId }: AuditEntry, deleted: ReadonlySet<string>): boolean {
  const isPart = parentId !== null && resource !== 'session';
  if (isPart) return deleted.has(parentId);
  const hasPageAnyway = ['address', 'oidc_account', 'passkey', 'session', 'two_factor'].includes(resource);
  return !hasPageAnyway && deleted.has(resourceId);
}
