import { CopyButton } from './copy-button';
import { useBrowserValue } from './use-browser-value';

/** The origin at which the viewer reaches this installation. */
export const useOrigin = (): string => useBrowserValue(() => window.location.origin, '');

/** A key or command to copy to a terminal, shown in full. */
export function CodeLine({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <div>
      <p className="mb-1 text-label font-medium">{label}</p>
      <div className="flex items-start gap-1 rounded-md border border-border bg-background-secondary py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-label wrap-anywhere select-all">{value}</code>
        <CopyButton value={value} label={copyLabel} size="sm" />
      </div>
    </div>
  );
}
