import { trackUsageBatch } from '@/server/features/usage/usage.service';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import type { DemoAgent } from './agents';
import { type Random, seededRandom } from './random';

/**
 * A month and more of work of the demo's agents. It is reported through the service like any other, and each day's part is then moved
 * to its day: the service stamps everything with the present.
 */

const daysOfWork = 45;

type Report = Record<string, unknown>;

function executionStatus(random: Random): string {
  const roll = random.next();
  if (roll < 0.86) return 'completed';
  if (roll < 0.92) return 'escalated';
  return roll < 0.97 ? 'failed' : 'cancelled';
}

/** What one agent reports of one task: the call of the model, and how the task went. A person settles what was escalated by the next day. */
function reportsOfTask(random: Random, agent: DemoAgent, agentId: string, name: string, isOver: boolean): Report[] {
  const shared = { agentId, operation: random.pick(agent.operations), taskId: name, model: agent.model };
  const run = (status: string) => ({ ...shared, type: 'agent_execution', eventId: `${name}-${status}`, status });
  const status = isOver || random.chance(0.75) ? executionStatus(random) : 'running';
  return [
    {
      ...shared,
      type: 'token_usage',
      eventId: `${name}-tokens`,
      provider: 'anthropic',
      usageType: 'completion',
      promptTokens: random.between(4_000, 22_000),
      completionTokens: random.between(200, 1_800),
    },
    run(status),
    ...(status === 'escalated' && isOver ? [run('completed')] : []),
  ];
}

/** Customers write on weekdays, most of them in the morning; the shop is closed on Sundays. */
function tasksOn(random: Random, day: Date, share: number): number {
  const weekday = day.getUTCDay();
  const busy = weekday === 0 ? 0.1 : weekday === 6 ? 0.5 : 1;
  return Math.round(random.between(3, 6) * busy * share);
}

function reportsOfDay(random: Random, agents: ReadonlyMap<string, DemoAgent>, daysAgo: number, now: Date): Report[] {
  const day = new Date(now.getTime() - daysAgo * 86_400_000);
  const label = day.toISOString().slice(0, 10);
  return [...agents].flatMap(([agentId, agent]) =>
    Array.from({ length: tasksOn(random, day, agent.share) }, (_, n) =>
      reportsOfTask(random, agent, agentId, `${label}-${agent.roleId}-${n}`, daysAgo > 0),
    ).flat(),
  );
}

/** Moves what was reported just now to its day, in the records and in the sums of days and months alike. */
async function moveBack(identityId: string, daysAgo: number): Promise<void> {
  const values = [identityId, daysAgo];
  const today = `(now() AT TIME ZONE 'UTC')::date`;
  await pool().query(
    `UPDATE usage_records SET created_at = created_at - $2 * interval '1 day' - random() * interval '4 hours'
     WHERE identity_id = $1 AND event_id LIKE to_char(${today} - $2::int, 'YYYY-MM-DD') || '-%' AND created_at > now() - interval '1 hour'`,
    values,
  );
  if (daysAgo === 0) return;
  await pool().query(`UPDATE usage_days SET day = day - $2::int WHERE identity_id = $1 AND day = ${today}`, values);
  await pool().query(
    `UPDATE usage_months SET month = date_trunc('month', ${today} - $2::int)::date WHERE identity_id = $1
       AND month = date_trunc('month', ${today})::date AND NOT date_trunc('month', ${today} - $2::int) = date_trunc('month', ${today})`,
    values,
  );
}

/** @param agents the demo's agents by their id */
export async function seedUsage(actor: IdentityActor, agents: ReadonlyMap<string, DemoAgent>): Promise<void> {
  const random = seededRandom(918_273);
  const now = new Date();
  for (let daysAgo = daysOfWork; daysAgo >= 0; daysAgo--) {
    const records = reportsOfDay(random, agents, daysAgo, now);
    for (let from = 0; from < records.length; from += 100) {
      await trackUsageBatch(actor, { records: records.slice(from, from + 100) });
    }
    await moveBack(actor.identityId, daysAgo);
  }
  await pool().query(
    `UPDATE agent_activity a SET last_active_at = r.latest
     FROM (SELECT agent_id, max(created_at) AS latest FROM usage_records WHERE identity_id = $1 AND outcome IS NOT NULL GROUP BY agent_id) r
     WHERE a.identity_id = $1 AND a.agent_id = r.agent_id`,
    [actor.identityId],
  );
}
