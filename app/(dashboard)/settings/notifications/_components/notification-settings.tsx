'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '@/app/_kit/query-result';
import { useTRPC } from '@/app/_trpc/client';
import { ChannelTable } from './channel-table';
import { PushSetting } from './push-setting';
import { QuietHoursSetting } from './quiet-hours';

/** How the member is notified. Each change is saved at once. */
export function NotificationSettingsPage() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.notifications.settings.queryOptions({}));
  return (
    <QueryResult query={settings} failure="Couldn’t load the settings" loading="Loading the settings" lines={8}>
      {(data) => (
        <>
          <ChannelTable settings={data} />
          <QuietHoursSetting settings={data} />
          <PushSetting push={data.push} />
        </>
      )}
    </QueryResult>
  );
}
