import dynamic from 'next/dynamic';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { LocalNumber } from '@/app/_kit/local-number';
import { SectionCard } from '@/app/_kit/section-card';
import { Segments } from '@/app/_kit/segments';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { ChartSkeleton } from './chart-skeleton';
import { formatDay, metricLabels, metrics, toDayRows } from './figures';

const segments = metrics.map((metric) => ({ value: metric, label: metricLabels[metric] }));

// The chart library is larger than the rest of the page.
const DailyChart = dynamic(() => import('./daily-chart').then((module) => module.DailyChart), {
  ssr: false,
  loading: () => <ChartSkeleton />,
});

/** Usage by UTC day: one metric as a chart, both as a table. */
export function DailyUsage({ days }: { days: UsageOverview['days'] }) {
  const [metric, setMetric] = useQueryState('show', parseAsStringLiteral(metrics).withDefault('tokens'));
  const rows = toDayRows(days, metric);
  const isEmpty = rows.every(({ value }) => value === 0);
  return (
    <SectionCard
      title={`The last ${days.length} days`}
      description="Daily, UTC. Today so far."
      actions={
        <Segments
          label="Show in the chart"
          size="sm"
          segments={segments}
          value={metric}
          onChange={(value) => void setMetric(value)}
        />
      }
    >
      <div className="h-64 rounded-sm outline-offset-4 outline-focus has-[svg:focus-visible]:outline-2 [&_svg]:outline-none">
        {isEmpty ? (
          <p className="flex h-full items-center justify-center text-muted">No usage in the last {days.length} days.</p>
        ) : (
          <DailyChart rows={rows} metric={metric} />
        )}
      </div>
      <details className="mt-4">
        <summary className="w-fit cursor-pointer py-1 text-label text-accent-text">Show as table</summary>
        <DailyTable days={days} />
      </details>
    </SectionCard>
  );
}

/** The chart's numbers, newest first. */
function DailyTable({ days }: { days: UsageOverview['days'] }) {
  const locale = useViewerLocale();
  return (
    <table className="mt-2 w-full max-w-xl text-left text-label">
      <caption className="sr-only">AI tokens and tasks run by UTC day, newest first</caption>
      <thead className="border-b border-separator text-muted">
        <tr>
          <th scope="col" className="h-9 pr-2 font-medium">
            Day
          </th>
          <th scope="col" className="px-2 text-right font-medium">
            {metricLabels.tokens}
          </th>
          <th scope="col" className="pl-2 text-right font-medium">
            {metricLabels.executions}
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, tokens, executions }) => (
          <tr key={day} className="border-b border-separator last:border-b-0">
            <th scope="row" className="h-8 pr-2 font-normal">
              <time dateTime={day}>{formatDay(day, locale, 'long')}</time>
            </th>
            <td className="px-2 text-right">
              <LocalNumber value={tokens} />
            </td>
            <td className="pl-2 text-right">
              <LocalNumber value={executions} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
