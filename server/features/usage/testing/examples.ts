import { pool } from '@/server/platform/db/pool';
import type { Examples, Own } from '@/server/testing/examples';

/** Makes the next record of usage reach a figure of the plan. */
async function onFreePlan({ identityId }: Own): Promise<{ type: 'token_usage'; totalTokens: number }> {
  await pool().query(`UPDATE identities SET plan = 'free' WHERE id = $1`, [identityId]);
  return { type: 'token_usage', totalTokens: 80_000 };
}

export const examples: Examples = {
  bodies: {
    'usage.track': { type: 'token_usage', totalTokens: 1 },
    'usage.trackBatch': { records: [{ type: 'token_usage', totalTokens: 1 }] },
  },
  own: {
    'usage.track': async (own) => [await onFreePlan(own)],
    'usage.trackBatch': async (own) => [{ records: [await onFreePlan(own)] }],
  },
  foreign: {
    'usage.track': ({ agentId, conversationId, messageId }) => [
      { type: 'agent_execution', agentId, status: 'failed', conversationId, messageId, taskId: conversationId },
      { type: 'token_usage', totalTokens: 5, agentId },
    ],
    'usage.trackBatch': ({ agentId }) => [{ records: [{ type: 'agent_execution', agentId, status: 'failed' }] }],
    'usage.executions': ({ agentId }) => [{ agentId }],
  },
  withoutRecords: ['usage.stats'],
  async fill({ as, known: { agentId, marker }, words }) {
    const execution = { type: 'agent_execution', agentId, status: 'completed', operation: words } as const;
    await as.usage.track({ ...execution, taskId: marker, eventId: marker });
    await as.usage.track({ type: 'token_usage', totalTokens: 7, model: words, agentId });
    return {};
  },
  rows: [`INSERT INTO sender_days (identity_id, day, sender, bytes) VALUES ($1, '2026-11-26', '@quark.example', 1)`],
  unaudited: [
    ...['agent_activity', 'mail_days', 'owner_mail_days', 'sender_days', 'storage_usage', 'tracked_tasks'],
    ...['usage_days', 'usage_events', 'usage_months', 'usage_records'],
  ],
  reference: ['owner_mail_days'],
  rules: [
    {
      operation: /usage\/track$/,
      problem: /: is required( unless promptTokens and completionTokens are given)?$/,
      why: 'depends on type',
    },
    {
      operation: /usage\/track$/,
      problem: /^totalTokens: must be the sum|: makes a sum too large/,
      why: 'two fields against each other',
    },
  ],
  notFound: { 'usage.stats': ({ sendWithoutIdentity }) => sendWithoutIdentity() },
};
