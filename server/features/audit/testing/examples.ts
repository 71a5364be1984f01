import { flushSecurityLog, noteSecurityEvent } from '@/server/platform/auth/security-log';
import type { Examples } from '@/server/testing/examples';

const later = (entryId: string | undefined) => String(Number(entryId) + 1);

export const examples: Examples = {
  foreign: {
    'audit.list': ({ apiKeyId, id, eventId, auditEntryId }) => [
      {},
      { apiKeyId },
      { resourceId: id },
      { resourceId: eventId, limit: 100 },
      { search: 'secret' },
      { before: later(auditEntryId) },
    ],
    'audit.previous': ({ auditEntryId }) => [{ entryId: auditEntryId }, { entryId: later(auditEntryId) }],
    'audit.security': () => [{}, { kind: 'sign_in_failed' }, { before: 'ffffffff-ffff-7fff-bfff-ffffffffffff', limit: 100 }],
  },
  async fill({ as, actor: { userId }, known: { id = '', email }, words }) {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: 'wrong_password', userId, account: email, address: '192.0.2.1' });
    await flushSecurityLog();
    // The newest entry, whose values before can be asked for.
    await as.customers.update({ id, notes: `Newer ${words}` });
    const [newest] = (await as.audit.list({})).entries;
    return { auditEntryId: newest?.id ?? '' };
  },
  rows: [
    `INSERT INTO security_events (id, minute, cause, kind, reason, identity_id, address, count, first_at, last_at)
      VALUES (gen_random_uuid(), now(), sha256(gen_random_uuid()::text::bytea), 'key_refused', 'revoked_key', $1, 'x', 1, now(), now())`,
  ],
  unaudited: ['account_audit_entries', 'audit_entries', 'security_events'],
  reference: ['account_audit_entries', 'security_events'],
};
