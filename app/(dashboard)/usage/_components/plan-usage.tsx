import { CodeLine } from '@/app/_kit/code-line';
import { SectionCard } from '@/app/_kit/section-card';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { plans } from '@/server/platform/plan';
import { UsageMeter } from './usage-meter';

interface PlanUsageProps {
  overview: Pick<UsageOverview, 'stats' | 'projection'>;
  /** The identity's, for the command that changes the plan. */
  handle: string;
}

/** This month against what the plan includes, and how the plan is changed. */
export function PlanUsage({ overview: { stats, projection }, handle }: PlanUsageProps) {
  const command = `npm run -s admin -- identity set-plan --handle ${handle} --plan <plan>`;
  return (
    <SectionCard
      title="This month against the plan"
      description="Counted by UTC month. Tokens and executions are never refused for being over the plan."
    >
      <div className="flex flex-col gap-6">
        <UsageMeter metric="tokens" meter={stats.tokenUsage} projection={projection.tokens} />
        <UsageMeter metric="executions" meter={stats.executions} projection={projection.executions} />
      </div>
      <div className="mt-6 border-t border-separator pt-4">
        <p className="mb-3 max-w-[68ch] text-label text-muted">
          Whoever runs this installation changes the plan, with this command.{' '}
          <code className="font-mono text-xs">&lt;plan&gt;</code> is {plans.slice(0, -1).join(', ')} or {plans.at(-1)}.
        </p>
        <CodeLine label="Change the plan in a terminal" value={command} copyLabel="Copy command" />
      </div>
    </SectionCard>
  );
}
