import { keysOf } from '@/app/_kit/keys-of';
import { describeUserAgent } from '@/server/features/accounts/user-agent';
import type { AuditChange, AuditEntry } from '@/server/features/audit/audit.schema';
import { statusLabels } from '../../inbox/_components/conversation-labels';
import { sessionName } from '../../settings/_components/session-labels';
import { type AuditResource, fieldName, resourceLabels } from './audit-labels';

/** A change as a sentence: "Customer **Quark Labs**: company and tags changed". */
export interface AuditSentence {
  lead: string;
  /** Its name or a substitute; '' if the kind says enough. */
  name: string;
  /** The change itself. */
  what: string;
}

type Labels = Readonly<Record<string, string>>;

/** Verbs for kinds that are not simply created and deleted. */
const creations: Partial<Record<AuditResource, { created?: string; deleted?: string }>> = {
  address: { created: 'added', deleted: 'removed' },
  contact: { created: 'added', deleted: 'removed' },
  escalation_route: { created: 'added', deleted: 'removed' },
  invitee: { created: 'added', deleted: 'removed' },
  mail: { created: 'written' },
  note: { created: 'added' },
  oidc_account: { created: 'connected', deleted: 'disconnected' },
  passkey: { created: 'added', deleted: 'removed' },
  picture: { created: 'uploaded' },
  quarantined_mail: { created: 'received', deleted: 'deleted' },
  session: { created: '', deleted: 'ended' },
  two_factor: { created: 'turned on', deleted: 'turned off' },
  blog: { created: 'set' },
};

/** Verbs for a change of one field to one value: by kind, `field:value`; `*` for any value. */
const transitions: Partial<Record<AuditResource, Labels>> = {
  account: { 'passwordHash:*': 'password changed' },
  agent: { 'status:active': 'resumed', 'status:paused': 'paused', 'status:archived': 'archived' },
  api_key: { 'revokedAt:*': 'revoked' },
  calendar_feed: { 'keyId:*': 'link reset' },
  contact: {
    'customerId:null': 'removed from a customer',
    'customerId:*': 'added to a customer',
    'isPrimary:true': 'made primary',
  },
  conversation: {
    'isRead:true': 'marked as read',
    'isRead:false': 'marked as unread',
    'isArchived:true': 'archived',
    'isArchived:false': 'moved to inbox',
    'isSpam:true': 'marked as spam',
    'isSpam:false': 'marked as not spam',
    'isTrashed:true': 'moved to trash',
    'isTrashed:false': 'restored',
    ...Object.fromEntries(keysOf(statusLabels).map((status) => [`status:${status}`, `set to “${statusLabels[status].label}”`])),
  },
  event: { 'status:cancelled': 'canceled', 'status:confirmed': 'confirmed', 'status:tentative': 'marked as tentative' },
  invitee: {
    'response:accepted': 'accepted',
    'response:declined': 'declined',
    'response:tentative': 'responded “maybe”',
    'response:needs_action': 'asked to respond again',
  },
  mail: { 'state:sent': 'sent', 'state:failed': 'could not be sent', 'state:queued': 'queued again' },
  message: {
    'status:sent': 'sent',
    'status:failed': 'could not be sent',
    'status:queued': 'queued again',
    'removedAttachments:*': 'attachment deleted',
  },
  two_factor: {
    'enabledAt:null': 'authenticator app turned off',
    'enabledAt:*': 'authenticator app turned on',
    'recoveryCodes:*': 'recovery codes used or replaced',
  },
  post: { 'status:published': 'published', 'status:draft': 'moved to drafts', 'status:archived': 'archived' },
};

/** Fields that change along with another one, which describes the whole change. */
const companions: Labels = {
  publishedAt: 'status',
  secret: 'enabledAt',
  sentAt: 'status state',
  answeredAt: 'response',
  answeredBy: 'response',
  error: 'state status',
};

function enumerate(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** How many fields are listed before the rest is counted. */
const namedMaximum = 4;

function whatChanged(resource: AuditResource, changes: readonly AuditChange[]): string {
  const words = transitions[resource] ?? {};
  const names = new Set(changes.map(({ field }) => field));
  const labels: string[] = [];
  const others: string[] = [];
  for (const { field, after } of changes) {
    const own = words[`${field}:${typeof after === 'object' && after !== null ? '' : after}`] ?? words[`${field}:*`];
    if (own !== undefined) labels.push(own);
    else if (!companions[field]?.split(' ').some((other) => names.has(other))) others.push(fieldName(field));
  }
  const shown =
    others.length > namedMaximum ? [...others.slice(0, namedMaximum - 1), `${others.length - namedMaximum + 1} more`] : others;
  if (shown.length > 0) labels.push(`${enumerate(shown)} changed`);
  return enumerate(labels) || 'changed';
}

function valueOfField({ changes }: AuditEntry, field: string): string {
  const change = changes.find((other) => other.field === field);
  return String(change?.after ?? change?.before ?? '');
}

function messageSentence(entry: AuditEntry, name: string): AuditSentence | null {
  if (entry.resource !== 'message' || entry.action !== 'created') return null;
  if (valueOfField(entry, 'direction') !== 'inbound') return { lead: 'Message', name, what: 'written' };
  return { lead: 'Message', name, what: `received from ${valueOfField(entry, 'fromName') || valueOfField(entry, 'fromEmail')}` };
}

/** The name of an entry's record, or a substitute. */
function nameOf(entry: AuditEntry): string {
  const { resource, label, resourceId } = entry;
  if (resource === 'session') return sessionName(describeUserAgent(valueOfField(entry, 'userAgent') || label));
  if (resource === 'blog') return '';
  if (label.trim() !== '') return label.trim();
  return resource === 'escalation_route' ? resourceId : (resourceLabels[resource].unnamed ?? '');
}

/** The subject of an entry: "Customer Quark Labs". */
export function subjectOf(entry: AuditEntry): string {
  return `${resourceLabels[entry.resource].one} ${nameOf(entry)}`.trim();
}

export function sentenceOf(entry: AuditEntry): AuditSentence {
  const { resource, action, changes } = entry;
  const [lead, name] = [resourceLabels[resource].one, nameOf(entry)];
  if (resource === 'session' && action === 'created') return { lead: 'Signed in from', name, what: '' };
  const ofMessage = messageSentence(entry, name);
  if (ofMessage) return ofMessage;
  if (action === 'updated') return { lead, name, what: whatChanged(resource, changes) };
  return { lead, name, what: creations[resource]?.[action] ?? action };
}

/** True if a colon separates the name from what changed in it. */
export function needsColon({ what }: Pick<AuditSentence, 'what'>): boolean {
  return / changed$|^attachment deleted$/.test(what);
}
