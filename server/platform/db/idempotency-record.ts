import { AppError } from '../errors';

/** Whatever runs a statement inside an open transaction. */
export interface StatementRunner {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rowCount: number | null }>;
}

/**
 * Marks a request with an Idempotency-Key as carried out, in the transaction that does so: from the moment the change is there, nothing
 * carries it out again (docs/adr/0012).
 *
 * @throws AppError idempotency_running where another process has taken the request over, having had reason to think that this one is gone
 */
export async function settleIdempotency(client: StatementRunner, recordId: string): Promise<void> {
  const settled = await client.query({
    name: 'idempotent-request-settle',
    text: 'UPDATE idempotent_requests SET is_applied = true WHERE id = $1::uuid',
    values: [recordId],
  });
  if (settled.rowCount === 0) throw new AppError('idempotency_running', 'This very request is being carried out already.');
}
