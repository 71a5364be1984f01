import Link from 'next/link';
import { useState } from 'react';
import { SectionCard } from '@/app/_kit/section-card';
import { Switch } from '@/app/_kit/switch';
import { TextField } from '@/app/_kit/text-field';
import type { NotificationSettings, QuietHours } from '@/server/features/notifications/notification.schema';
import { useUpdateSettings } from './use-update-settings';

const firstChoice: QuietHours = { from: '22:00', to: '07:00' };

/** When nothing is mailed or pushed. */
export function QuietHoursSetting({ settings }: { settings: NotificationSettings }) {
  const { quietHours, timeZone } = settings;
  const { mutate } = useUpdateSettings();
  return (
    <SectionCard
      title="Quiet hours"
      description="Emails and push notifications wait until they end. In the app, notifications appear at once."
      actions={
        <Switch
          label="Quiet hours"
          isSelected={quietHours !== null}
          onChange={(isOn) => mutate({ quietHours: isOn ? firstChoice : null })}
        />
      }
    >
      <div className="flex flex-col gap-3">
        {quietHours && <QuietTimes key={`${quietHours.from} ${quietHours.to}`} quietHours={quietHours} />}
        <p className="text-label text-muted">
          Times are in your time zone, {timeZone ?? 'UTC'}.{' '}
          <Link href="/settings/profile" className="text-accent-text underline underline-offset-2">
            Change
          </Link>
        </p>
      </div>
    </SectionCard>
  );
}

/** Saves when the focus leaves both fields, because saving remounts them. */
function QuietTimes({ quietHours }: { quietHours: QuietHours }) {
  const { mutate } = useUpdateSettings();
  const [times, setTimes] = useState(quietHours);
  const problem = times.from === times.to ? 'Must differ from the start.' : undefined;
  const save = () => {
    const isChanged = times.from !== quietHours.from || times.to !== quietHours.to;
    if (isChanged && !problem && times.from !== '' && times.to !== '') mutate({ quietHours: times });
  };
  return (
    <fieldset
      aria-label="Times"
      className="flex flex-wrap gap-4"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) save();
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={end === 'from' ? 'From' : 'Until'}
          className="max-w-36"
          isInvalid={end === 'to' && problem !== undefined}
          error={problem}
        >
          {(control) => (
            <input
              {...control}
              type="time"
              value={times[end]}
              onChange={(event) => setTimes({ ...times, [end]: event.target.value })}
              data-invalid={(end === 'to' && problem !== undefined) || undefined}
              className="input w-full"
            />
          )}
        </TextField>
      ))}
    </fieldset>
  );
}
