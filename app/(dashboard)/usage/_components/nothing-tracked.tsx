'use client';

import { Gauge } from 'lucide-react';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { EmptyState } from '@/app/_kit/empty-state';

/** What stands in place of chart and breakdowns until something is reported. */
export function NothingTracked({ days }: { days: number }) {
  const record = '{"type":"token_usage","totalTokens":976,"model":"sonnet","operation":"reply"}';
  const curl = `curl -X POST -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -d '${record}' ${useOrigin()}/api/v1/usage/track`;
  return (
    <section className="rounded-lg border border-border bg-surface">
      <EmptyState
        icon={Gauge}
        title={`Nothing tracked in the last ${days} days`}
        description="Programs report the tokens they use and the executions of agents; here you see them by day, agent, model and operation."
        action={
          <div className="max-w-2xl text-left">
            <CodeLine label="Report some tokens from a terminal, with a key of yours" value={curl} copyLabel="Copy command" />
          </div>
        }
        apiHint="POST /usage/track"
      />
    </section>
  );
}
