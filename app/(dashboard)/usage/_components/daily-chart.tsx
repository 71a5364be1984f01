import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { compact, countOf, type DayRow, formatDay, type Metric, metricLabels } from './figures';

interface DailyChartProps {
  rows: DayRow[];
  metric: Metric;
}

const tick = { fill: 'var(--muted)', fontSize: 12 };

/** One bar per day. The arrow keys move between days; the table below shows the same numbers. */
export function DailyChart({ rows, metric }: DailyChartProps) {
  const locale = useViewerLocale();
  const words = (value: number) => countOf(value, metric, new Intl.NumberFormat(locale).format(value));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={rows} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} aria-label={`${metricLabels[metric]} by day`}>
        <CartesianGrid vertical={false} stroke="var(--separator)" />
        <XAxis
          dataKey="day"
          tickFormatter={(day: string) => formatDay(day, locale, 'short')}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--border-secondary)' }}
          minTickGap={28}
          interval="equidistantPreserveStart"
        />
        <YAxis
          tickFormatter={(value: number) => compact(value, locale, 'letter')}
          tick={tick}
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
          width="auto"
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--default)', fillOpacity: 0.6 }}
          content={({ active, label }) => {
            const row = active ? rows.find(({ day }) => day === label) : undefined;
            if (!row) return null;
            return (
              <div className="rounded-md bg-overlay px-3 py-2 text-label text-foreground shadow-(--overlay-shadow)">
                <div className="text-muted">{formatDay(row.day, locale, 'long')}, UTC</div>
                <div className="mt-0.5 font-medium">{words(row.value)}</div>
              </div>
            );
          }}
        />
        <Bar dataKey="value" fill="var(--accent)" radius={[2, 2, 0, 0]} maxBarSize={28} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}
