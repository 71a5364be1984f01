import Link from 'next/link';
import { SectionCard } from '@/app/_kit/section-card';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { compact, decidingMetric, formatPercent, metricLabels, type ShareRow, toShareRows } from './figures';
import { ShareBar } from './share-bar';

interface BreakdownCardProps {
  /** "By agent". */
  title: string;
  /** Column heading of the rows: "Agent". */
  subject: string;
  breakdown: UsageOverview['byAgent'];
  /** Number of days covered. */
  days: number;
}

/** Usage in the days of the chart by source, largest first. */
export function BreakdownCard({ title, subject, breakdown, days }: BreakdownCardProps) {
  const locale = useViewerLocale();
  const rows = toShareRows(breakdown);
  return (
    <SectionCard title={title} flush>
      {rows.length === 0 ? (
        <p className="px-5 py-4 text-muted">No data in the last {days} days.</p>
      ) : (
        <table className="w-full table-fixed text-left text-label">
          <caption className="sr-only">
            {title}, the last {days} days; shares of {metricLabels[decidingMetric(breakdown)]}
          </caption>
          <thead className="border-b border-separator text-muted">
            <tr>
              <th scope="col" className="h-9 pr-1 pl-5 font-medium">
                {subject}
              </th>
              <th scope="col" className="w-21 px-1 text-right font-medium">
                {metricLabels.tokens}
              </th>
              <th scope="col" className="w-23 pr-5 pl-1 text-right font-medium">
                {metricLabels.executions}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className="relative border-b border-separator last:border-b-0">
                <th scope="row" className="h-14 pt-2 pr-1 pb-6 pl-5 font-normal">
                  <Name row={row} />
                  <span className="absolute inset-x-5 bottom-2 grid grid-cols-[minmax(0,1fr)_3.25rem] items-center gap-2 text-xs text-muted">
                    <ShareBar percent={row.share} tone={row.kind === 'given' ? 'accent' : 'neutral'} />
                    <span className="text-right">{formatPercent(row.share, locale)}</span>
                  </span>
                </th>
                <td className="px-1 pt-2 pb-6 text-right">
                  <ShortNumber value={row.tokens} />
                </td>
                <td className="pt-2 pr-5 pb-6 pl-1 text-right">
                  <ShortNumber value={row.executions} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SectionCard>
  );
}

/** Numbers from here on do not fit the narrow column. */
const long = 100_000_000;

/** A number that fits its column; a rounded one is shown in full on hover and to screen readers. */
function ShortNumber({ value }: { value: number }) {
  const locale = useViewerLocale();
  const exact = new Intl.NumberFormat(locale).format(value);
  if (value < long) return exact;
  return (
    <span title={exact}>
      <span aria-hidden>{compact(value, locale, 'letter')}</span>
      <span className="sr-only">{exact}</span>
    </span>
  );
}

function Name({ row: { name, kind, agentId } }: { row: ShareRow }) {
  if (agentId !== null) {
    return (
      <Link
        href={`/agents/${agentId}`}
        title={name}
        className="block truncate font-medium text-accent-text underline-offset-2 hover:underline"
      >
        {name}
      </Link>
    );
  }
  return (
    <span className={`block truncate ${kind === 'given' ? 'font-medium' : 'text-muted'}`} title={name}>
      {name}
    </span>
  );
}
