import type { ReactNode } from 'react';

/** The name or value of an environment variable. */
export function SettingName({ children }: { children: ReactNode }) {
  return <code className="font-mono text-label wrap-anywhere">{children}</code>;
}

/** A feature that does not work yet, and the settings that enable it. */
export function SettingsToSet({ what, children }: { what: ReactNode; children: ReactNode }) {
  return (
    <div className="mb-4 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <p>{what} Administrator settings (restart required):</p>
      <ul className="mt-1 list-disc pl-5">{children}</ul>
    </div>
  );
}
