import { X } from 'lucide-react';
import { useState } from 'react';
import { useController, useFormContext, useFormState } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { IconButton } from '@/app/_kit/icon-button';
import { StatusBadge } from '@/app/_kit/status-badge';
import { Switch } from '@/app/_kit/switch';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import type { InviteeRecord } from '@/server/features/calendar/invitee.schema';
import { compactField } from './compact-field';
import { errorAt } from './error-at';
import { answerLabels, counted } from './event-labels';
import type { EventValues, InviteeValues } from './event-values';
import { InviteeInput } from './invitee-input';

/** The invitees, and whether this event sends mail to them. */
export function InviteeFields({ event }: { event: EventRecord | null }) {
  const { control, setValue, setFocus } = useFormContext<EventValues>();
  const { field } = useController({ control, name: 'invitees' });
  const { field: emails } = useController({ control, name: 'sendEmailReminders' });
  const { errors } = useFormState({ control, name: 'invitees' });
  const [announcement, setAnnouncement] = useState('');
  const invitees = field.value;
  const ofList = errorAt(errors, 'invitees', 'invitees.root');

  const add = (added: readonly InviteeValues[]) => {
    setValue('invitees', [...invitees, ...added], { shouldDirty: true, shouldTouch: true });
    setAnnouncement(`Added ${added.map(({ email }) => email).join(', ')}`);
  };
  const change = (index: number, changes: Partial<InviteeValues>) =>
    field.onChange(invitees.map((invitee, at) => (at === index ? { ...invitee, ...changes } : invitee)));
  const removeAt = (index: number) => {
    field.onChange(invitees.filter((_, at) => at !== index));
    setAnnouncement(`Removed ${invitees[index]?.email}`);
    // The focused button is removed with its row.
    setFocus('inviteeText');
  };
  const answerOf = (email: string) => event?.invitees.find((invitee) => invitee.email === email) ?? null;
  const removed = (event?.invitees ?? []).filter(({ email }) => !invitees.some((invitee) => invitee.email === email));

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="label mb-1">
        {' '}
        Guests {invitees.length > 0 && <span className="font-normal text-muted"> · {invitees.length}</span>}
      </legend>
      <InviteeInput present={invitees} onAdd={add} isFull={invitees.length >= eventLimits.invitees} />
      {ofList && <p className="text-label text-danger-text">{fieldMessage('Guest list', ofList)}</p>}
      {invitees.length > 0 && (
        <ul aria-label="Guests" className="flex flex-col divide-y divide-separator rounded-md border border-border">
          {invitees.map((invitee, index) => (
            <InviteeRow
              key={invitee.email}
              invitee={invitee}
              stored={answerOf(invitee.email)}
              reason={errorAt(errors, `invitees.${index}.email`, `invitees.${index}.name`)}
              onChange={(changes) => change(index, changes)}
              onRemove={() => removeAt(index)}
              onBlur={field.onBlur}
            />
          ))}
        </ul>
      )}
      {removed.length > 0 && (
        <p className="text-label text-muted">{counted(removed.length, 'guest')} removed. When you save, you can notify them.</p>
      )}
      <Switch label="Send emails to guests" isSelected={emails.value} onChange={emails.onChange}>
        <span>Send emails to guests</span>
      </Switch>
      <p className="text-label text-muted">
        {emails.value
          ? 'Guests get an invitation when you save, plus reminders unless they decline.'
          : 'Guests get no invitations or reminders. You can still notify them when you change the event.'}
      </p>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </fieldset>
  );
}

interface InviteeRowProps {
  invitee: InviteeValues;
  /** The stored invitee with its reply. */
  stored: InviteeRecord | null;
  reason: string | undefined;
  onChange: (changes: Partial<InviteeValues>) => void;
  onRemove: () => void;
  onBlur: () => void;
}

/** One invitee: address, display name, and whether attendance is optional. */
function InviteeRow({ invitee, stored, reason, onChange, onRemove, onBlur }: InviteeRowProps) {
  const { email, name, isOptional } = invitee;
  const answer = stored && stored.responseStatus !== 'needs_action' ? answerLabels[stored.responseStatus] : null;
  const isOver = [...name].length > eventLimits.inviteeName;
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate" title={email}>
          {email}
        </span>
        {stored?.isOrganizer ? (
          <StatusBadge tone="neutral">You</StatusBadge>
        ) : answer ? (
          <StatusBadge tone={answer.tone}>{answer.label}</StatusBadge>
        ) : (
          stored === null && <StatusBadge tone="info">New</StatusBadge>
        )}
        <IconButton label={`Remove ${email}`} onPress={onRemove} className="-mr-1.5">
          <X aria-hidden className="text-muted" />
        </IconButton>
      </div>
      <div className="flex items-center gap-3">
        <input
          aria-label={`Name of ${email}`}
          aria-invalid={isOver || reason ? true : undefined}
          value={name}
          placeholder="Name"
          autoComplete="off"
          onChange={({ target }) => onChange({ name: target.value })}
          onBlur={onBlur}
          className={`${compactField} flex-1`}
        />
        <label className="flex shrink-0 cursor-pointer items-center gap-1.5 text-label">
          <input
            type="checkbox"
            checked={isOptional}
            aria-label={`${email} is optional`}
            onChange={({ target }) => onChange({ isOptional: target.checked })}
            className="size-4 accent-accent"
          />
          Optional
        </label>
      </div>
      {reason && <p className="text-label text-danger-text">{fieldMessage(`“${email}”`, reason)}</p>}
    </li>
  );
}
