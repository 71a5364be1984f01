import { type Metric, metrics } from './figures';

interface MetricSwitchProps {
  value: Metric;
  onChange: (value: Metric) => void;
}

const labels: Record<Metric, string> = { tokens: 'Tokens', executions: 'Executions' };

/** Which of the two the chart shows. */
export function MetricSwitch({ value, onChange }: MetricSwitchProps) {
  return (
    <fieldset className="flex rounded-md bg-default p-0.5">
      <legend className="sr-only">Show in the chart</legend>
      {metrics.map((metric) => (
        <label
          key={metric}
          className="flex h-7 cursor-pointer items-center rounded-sm px-2.5 text-label text-muted has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus max-sm:h-9"
        >
          <input
            type="radio"
            name="metric"
            value={metric}
            checked={value === metric}
            onChange={() => onChange(metric)}
            className="sr-only"
          />
          {labels[metric]}
        </label>
      ))}
    </fieldset>
  );
}
