import type { ReactNode } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { SettingsNav } from './_components/settings-nav';

/** The layout of all settings: navigation on the left, on a phone above. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="max-w-5xl">
      <PageHeader title="Settings" />
      <div className="gap-10 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)]">
        <SettingsNav />
        <div className="flex min-w-0 flex-col gap-6">{children}</div>
      </div>
    </div>
  );
}
