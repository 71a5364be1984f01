import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { FormProvider, useController, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { FormError } from '@/app/_kit/form-error';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { PendingButton } from '@/app/_kit/pending-button';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import { type EventRecord, eventColors, eventStatuses, meetingProviders } from '@/server/features/calendar/calendar.schema';
import { ColorDot } from './color-dot';
import { ConflictNote } from './conflict-note';
import { colorNames, providerNames, statusLabels } from './event-labels';
import { saveLabel } from './event-patch';
import type { EventValues } from './event-values';
import { InviteeFields } from './invitee-fields';
import { ReminderFields } from './reminder-fields';
import { useSaveEvent } from './use-save-event';
import { RecurrenceFields, WhenFields } from './when-fields';

interface EventEditorProps {
  /** The event to edit; null for a new one. */
  event: EventRecord | null;
  /** Its latest version, if known. */
  latest: EventRecord | null;
  initial: EventValues;
  isCopy?: boolean;
  /** Starts from the unsaved draft. */
  restoresDraft?: boolean;
  /** Closes the editor. */
  onCancel: () => void;
  /** Closes the panel. */
  onClose: () => void;
  onSaved: (event: EventRecord) => void;
  onLoadNewer?: (newer: EventRecord) => void;
}

/** The form with every field of an event. */
export function EventEditor(props: EventEditorProps) {
  const { event, latest, initial, isCopy = false, restoresDraft = false, onCancel, onClose, onSaved, onLoadNewer } = props;
  const formId = useId();
  const body = useRef<HTMLFormElement>(null);
  const editor = useSaveEvent({ event, latest, initial, restoresDraft, onSaved });
  const { form, formProps, draft, forget, base, plan, isDirty, isSaving, isGone, isRefused, failure, newer, saveOver, dialog } =
    editor;

  useEffect(() => {
    const title = body.current?.querySelector<HTMLInputElement>('input[name="title"]');
    title?.focus({ preventScroll: true });
  }, []);

  return (
    <FormProvider {...form}>
      <SheetHeader title={event ? 'Edit event' : isCopy ? 'Duplicate event' : 'New event'} onClose={onClose}>
        {event && event.recurrence !== 'none' && <p className="text-label text-muted">Edits apply to the whole series.</p>}
      </SheetHeader>
      <SheetBody>
        <form
          ref={body}
          id={formId}
          aria-label={event ? 'Edit event' : 'New event'}
          {...formProps}
          className="flex flex-col gap-5"
        >
          {draft && <DraftNotice draft={draft} />}
          <FormTextField control={form.control} name="title" label="Title" isRequired autoComplete="off" />
          <WhenFields />
          <RecurrenceFields />
          <ConflictNote eventId={event?.id ?? null} />
          <InviteeFields event={base} />
          <FormTextField control={form.control} name="location" label="Location" autoComplete="off" />
          <MeetingFields />
          <FormTextArea
            control={form.control}
            name="description"
            label="Description"
            rows={4}
            maxLength={eventLimits.description}
            description="Shown in the invitation."
          />
          <ReminderFields />
          <AppearanceFields hasStatus={event !== null} agent={event?.agent ?? null} />
        </form>
      </SheetBody>
      <SheetFooter>
        {newer && onLoadNewer && <EditedElsewhere onLoad={() => onLoadNewer(newer)} onSaveOver={saveOver} isSaving={isSaving} />}
        {isGone && (
          <p role="alert" className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
            This event was deleted. You can still save your changes as a new event.
          </p>
        )}
        <FormError failure={failure} />
        {isRefused && !failure && (
          <p role="alert" className="text-label text-danger-text">
            Not saved. Fix the fields above.
          </p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Button variant="secondary" onPress={onCancel} isDisabled={isSaving}>
            Cancel
          </Button>
          <PendingButton type="submit" form={formId} variant="primary" isPending={isSaving}>
            {isGone ? 'Save as new event' : saveLabel({ plan, isNew: base === null })}
          </PendingButton>
        </div>
      </SheetFooter>
      {dialog}
      <UnsavedChangesGuard isDirty={isDirty} subject={event ? 'this event' : 'the new event'} onLeave={forget} />
    </FormProvider>
  );
}

interface EditedElsewhereProps {
  onLoad: () => void;
  onSaveOver: () => void;
  isSaving: boolean;
}

/** The choice between two versions of an event, once the other one is loaded. */
function EditedElsewhere({ onLoad, onSaveOver, isSaving }: EditedElsewhereProps) {
  return (
    <div role="alert" className="rounded-md bg-warning-soft px-3 py-2.5 text-warning-text">
      <p className="font-medium">This event was changed elsewhere while you were editing it.</p>
      <p className="text-label">Overwriting saves only the fields you changed; the others keep their latest values.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onPress={onLoad} isDisabled={isSaving}>
          Load latest
        </Button>
        <Button variant="secondary" size="sm" onPress={onSaveOver} isDisabled={isSaving}>
          Overwrite
        </Button>
      </div>
    </div>
  );
}

const options = (['none', ...meetingProviders] as const).map((value) => ({ value, label: providerNames[value] }));

/** The online meeting of an event. */
function MeetingFields() {
  const { control } = useFormContext<EventValues>();
  const provider = useWatch({ control, name: 'meeting.provider' });
  return (
    <>
      <FormSelect control={control} name="meeting.provider" label="Online meeting" options={options} />
      {provider !== 'none' && (
        <div className="grid gap-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <FormTextField
            control={control}
            name="meeting.url"
            label="Meeting link"
            type="url"
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            isRequired
          />
          <FormTextField
            control={control}
            name="meeting.password"
            label="Meeting password"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      )}
    </>
  );
}

const statuses = eventStatuses.map((value) => ({ value, label: statusLabels[value].label }));

/** Agent, color and status of an event. */
function AppearanceFields({ hasStatus, agent }: { hasStatus: boolean; agent: EventRecord['agent'] }) {
  const { control } = useFormContext<EventValues>();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({}));
  const known = data?.agents ?? [];
  const all = agent && !known.some(({ id }) => id === agent.id) ? [agent, ...known] : known;
  const agents = [{ value: '', label: 'Your business' }, ...all.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <>
      <FormSelect control={control} name="agentId" label="Agent" options={agents} description="Organizer shown to guests." />
      <ColorField />
      {hasStatus && <FormSelect control={control} name="status" label="Status" options={statuses} />}
    </>
  );
}

function ColorField() {
  const { control } = useFormContext<EventValues>();
  const { field } = useController({ control, name: 'color' });
  return (
    <fieldset>
      <legend className="label mb-1.5">Color</legend>
      <div className="flex flex-wrap gap-1.5 sm:gap-1">
        {eventColors.map((color) => (
          <label
            key={color}
            className="flex h-9 cursor-pointer items-center gap-1.5 rounded-md border border-border-secondary px-2.5 sm:px-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus sm:h-8"
          >
            <input
              type="radio"
              name="color"
              value={color}
              checked={field.value === color}
              onChange={() => field.onChange(color)}
              className="sr-only"
            />
            <ColorDot color={color} />
            <span className="text-label">{colorNames[color]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
