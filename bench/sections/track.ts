import { compare, comparisonHead, type Operation } from '../compare';
import { startDatabase } from '../database';
import { type BenchIdentity, createIdentity } from '../fill';
import type { MakeRequest } from '../load';
import type { Table } from '../table';

/** Recording usage, every request for the same identity. */

const path = '/api/v1/usage/track';
const models = ['sonnet', 'haiku', 'opus'];
const operations = ['reply', 'triage', 'summarise', 'schedule'];

function pick(list: readonly string[], n: number): string | undefined {
  return list[n % list.length];
}

function tokens({ keys: [key = ''] }: BenchIdentity): MakeRequest {
  return (n) => ({
    path,
    key,
    body: {
      type: 'token_usage',
      promptTokens: 812 + (n % 100),
      completionTokens: 164,
      model: pick(models, n),
      operation: pick(operations, n),
      agentId: `agent-${n % 8}`,
      metadata: { trace: `t-${n}` },
    },
  });
}

function executions({ keys: [key = ''] }: BenchIdentity): MakeRequest {
  return (n) => ({
    path,
    key,
    body: {
      type: 'agent_execution',
      agentId: `agent-${n % 8}`,
      status: n % 9 ? 'completed' : 'failed',
      operation: pick(operations, n),
    },
  });
}

export async function track({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const identity = await createIdentity(database.sql, 'enterprise');
    const compared: Operation[] = [
      { name: 'token usage', status: 200, load: () => tokens(identity) },
      { name: 'execution', status: 200, load: () => executions(identity) },
    ];
    return {
      title: 'Tracking usage',
      note:
        'Frontdesk / hand-written server, all requests for one identity. The hand-written one inserts a row and raises one counter; ' +
        'Frontdesk keeps the sums of days, breakdowns and agents too. Target: a ratio of at least 0.50. CPU is per request.',
      head: comparisonHead,
      rows: await compare(database, compared, quick),
    };
  } finally {
    await database.remove();
  }
}
