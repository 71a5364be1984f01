import { ChevronDown } from 'lucide-react';
import { keysOf } from '@/app/_kit/keys-of';
import { SectionCard } from '@/app/_kit/section-card';
import { Switch } from '@/app/_kit/switch';
import type { MailChoice, NotificationKind, NotificationSettings } from '@/server/features/notifications/notification.schema';
import { kindLabels, mailLabels } from './notification-labels';
import { SendTest } from './send-test';
import { useUpdateSettings } from './use-update-settings';

const cell = 'px-2 py-3 align-middle last:pr-5';
const head = 'px-2 py-2 text-label font-medium text-muted last:pr-5';

/** What the member is notified of, and where each kind appears. */
export function ChannelTable({ settings }: { settings: NotificationSettings }) {
  const { canSendMail } = settings;
  return (
    <SectionCard
      title="What you’re notified of"
      description="For this business only. Daily emails arrive at 08:00, if there is something new."
      flush
      footer={
        <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-label text-muted">{canSendMail ? '' : 'This installation sends no email yet.'}</p>
          <SendTest channel="email" isDisabled={!canSendMail} />
        </div>
      }
    >
      <table aria-label="Notifications" className="w-full text-left">
        <thead className="border-b border-separator">
          <tr>
            <th scope="col" className={`${head} pl-5`}>
              When
            </th>
            <th scope="col" className={head}>
              In app
            </th>
            <th scope="col" className={head}>
              Email
            </th>
            <th scope="col" className={head}>
              Push
            </th>
          </tr>
        </thead>
        <tbody>
          {keysOf(kindLabels).map((kind) => (
            <KindRow key={kind} kind={kind} settings={settings} />
          ))}
        </tbody>
      </table>
    </SectionCard>
  );
}

function KindRow({ kind, settings }: { kind: NotificationKind; settings: NotificationSettings }) {
  const { mutate } = useUpdateSettings();
  const { label, description } = kindLabels[kind];
  const { inApp, email, push } = settings.channels[kind];
  return (
    <tr className="border-b border-separator last:border-b-0">
      <th scope="row" className={`${cell} pl-5 font-normal`}>
        <span className="block font-medium">{label}</span>
        <span className="hidden text-label text-muted sm:block">{description}</span>
      </th>
      <td className={cell}>
        {kind === 'escalation' ? (
          <span className="text-label whitespace-nowrap text-muted">Always</span>
        ) : (
          <Switch
            label={`${label}: in app`}
            isSelected={inApp}
            onChange={(next) => mutate({ channels: { [kind]: { inApp: next } } })}
          />
        )}
      </td>
      <td className={cell}>
        <MailSelect
          label={`${label}: email`}
          value={email}
          onChange={(next) => mutate({ channels: { [kind]: { email: next } } })}
        />
      </td>
      <td className={cell}>
        <Switch
          label={`${label}: push`}
          isSelected={push}
          onChange={(next) => mutate({ channels: { [kind]: { push: next } } })}
        />
      </td>
    </tr>
  );
}

interface MailSelectProps {
  label: string;
  value: MailChoice;
  onChange: (value: MailChoice) => void;
}

function MailSelect({ label, value, onChange }: MailSelectProps) {
  return (
    <div className="relative w-26 sm:w-32">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value as MailChoice)}
        className="input h-8 w-full appearance-none truncate py-0 pr-6 pl-2 text-label"
      >
        {keysOf(mailLabels).map((choice) => (
          <option key={choice} value={choice}>
            {mailLabels[choice]}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-1.5 my-auto size-4 text-field-placeholder"
      />
    </div>
  );
}
