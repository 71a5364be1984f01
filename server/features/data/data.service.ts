import type { IdentityActor } from '@/server/platform/actor';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { agentSizes } from '../agents/agent.sql';
import { auditSizes, securitySizes } from '../audit/audit.sql';
import { postSizes } from '../blog/blog.sql';
import { eventSizes } from '../calendar/calendar.sql';
import {
  blockedSenderSizes,
  conversationSizes,
  deletedMessageSizes,
  draftSizes,
  labelSizes,
  mergedConversationSizes,
  messageSizes,
  noteSizes,
  snippetSizes,
  trashDays,
} from '../conversations/conversation.sql';
import { getLargestRecords } from '../conversations/storage.service';
import { contactSizes, customerSizes } from '../customers/customer.sql';
import { restorableDays } from '../deletions/deletion.schema';
import { deletedRecordSizes } from '../deletions/deletion.sql';
import { eventLogSizes } from '../events/event.sql';
import { quarantineSizes } from '../mail/mail.sql';
import { mailboxSizes } from '../mailboxes/mailbox.sql';
import { outboxSizes } from '../outbox/outbox.sql';
import { getQuotaUse } from '../usage/quota.service';
import { taskSizes, usageSizes } from '../usage/usage.sql';
import { deliverySizes } from '../webhooks/webhook.sql';
import { countedRecords, type DataKind, type DataOverview, dataKinds } from './data.schema';

/** Records whose sizes stand for all of their kind. */
const sampleSize = 200;

/** The rows of each kind, with their `identity_id` and `bytes`. */
const sizes: Record<DataKind, string> = {
  conversations: conversationSizes,
  messages: messageSizes,
  notes: noteSizes,
  drafts: draftSizes,
  labels: labelSizes,
  blockedSenders: blockedSenderSizes,
  mailboxes: mailboxSizes,
  snippets: snippetSizes,
  customers: customerSizes,
  contacts: contactSizes,
  agents: agentSizes,
  events: eventSizes,
  posts: postSizes,
  outbox: outboxSizes,
  quarantine: quarantineSizes,
  mergedConversations: mergedConversationSizes,
  deletedMessages: deletedMessageSizes,
  deletedRecords: deletedRecordSizes,
  usage: usageSizes,
  tasks: taskSizes,
  eventLog: eventLogSizes,
  deliveries: deliverySizes,
  audit: auditSizes,
  security: securitySizes,
};

const statement = dataKinds
  .map(
    (kind) => `SELECT '${kind}' AS kind, (SELECT count(*)::int FROM (SELECT 1 FROM ${sizes[kind]} kept WHERE identity_id = $1
      LIMIT ${countedRecords + 1}) counted) AS records, coalesce((SELECT avg(bytes) FROM (SELECT bytes FROM ${sizes[kind]} kept
      WHERE identity_id = $1 LIMIT ${sampleSize}) sample), 0)::float8 AS "recordBytes"`,
  )
  .join(' UNION ALL ');

/** Days that records of a kind are kept, by the operator's settings; the rest stays until it is deleted. */
function retentionDays(): Partial<Record<DataKind, number>> {
  const settings = env();
  return {
    outbox: settings.OUTBOX_RETENTION_DAYS,
    quarantine: settings.QUARANTINE_RETENTION_DAYS,
    mergedConversations: settings.MERGED_CONVERSATION_RETENTION_DAYS,
    deletedMessages: trashDays,
    deletedRecords: restorableDays,
    usage: settings.USAGE_RETENTION_DAYS,
    tasks: settings.USAGE_RETENTION_DAYS,
    eventLog: settings.EVENT_RETENTION_DAYS,
    deliveries: settings.EVENT_RETENTION_DAYS,
    audit: settings.AUDIT_RETENTION_DAYS,
    security: settings.SECURITY_LOG_RETENTION_DAYS,
  };
}

/** `admin storage show`. @throws AppError not_found for an unknown handle */
export async function showStorageAsOperator({ identity }: { identity: string }) {
  const { identityId } = await operatorActingFor(identity);
  const [{ storage }, largest] = await Promise.all([getQuotaUse(identityId), getLargestRecords({ identityId })]);
  return { ...storage, ...largest };
}

/** What the identity has records of: how many, how large, and for how long. */
export async function getDataOverview({ identityId }: IdentityActor): Promise<DataOverview> {
  const [found, { storage }] = await Promise.all([
    rows<{ kind: DataKind; records: number; recordBytes: number }>(pool(), {
      name: 'data-overview',
      text: statement,
      values: [identityId],
    }),
    getQuotaUse(identityId),
  ]);
  const days = retentionDays();
  return {
    files: storage,
    kinds: found.map(({ kind, records, recordBytes }) => ({
      kind,
      records,
      bytes: Math.round(records * recordBytes),
      retentionDays: days[kind] ?? null,
    })),
  };
}
