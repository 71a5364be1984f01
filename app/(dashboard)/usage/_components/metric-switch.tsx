import { Segments } from '@/app/_kit/segments';
import { type Metric, metrics } from './figures';

interface MetricSwitchProps {
  value: Metric;
  onChange: (value: Metric) => void;
}

const labels: Record<Metric, string> = { tokens: 'Tokens', executions: 'Executions' };
const segments = metrics.map((metric) => ({ value: metric, label: labels[metric] }));

/** Which of the two the chart shows. */
export function MetricSwitch({ value, onChange }: MetricSwitchProps) {
  return (
    <Segments
      label="Show in the chart"
      size="sm"
      segments={segments}
      value={value}
      onChange={(metric) => metric !== null && onChange(metric)}
    />
  );
}
