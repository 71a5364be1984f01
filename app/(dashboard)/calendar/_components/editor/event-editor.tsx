'use client';

import { useEffect, useId, useRef } from 'react';
import { FormProvider } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { FormError } from '@/app/_kit/form-error';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { PendingButton } from '@/app/_kit/pending-button';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { ConflictNote } from './conflict-note';
import { EditedElsewhere } from './edited-elsewhere';
import type { EventValues } from './event-values';
import { InviteeFields } from './invitee-fields';
import { LookFields } from './look-fields';
import { MeetingFields } from './meeting-fields';
import { RecurrenceFields } from './recurrence-fields';
import { ReminderFields } from './reminder-fields';
import { saveLabel } from './save-label';
import { type DirtyChange, useSaveEvent } from './use-save-event';
import { WhenFields } from './when-fields';

interface EventEditorProps {
  /** The event that is changed; null for a new one. */
  event: EventRecord | null;
  /** The same as it is by now, where that is known. */
  latest: EventRecord | null;
  initial: EventValues;
  isCopy?: boolean;
  /** Begins with what was typed before and not saved. */
  restoresDraft?: boolean;
  /** Leaves the editor. */
  onCancel: () => void;
  /** Leaves the panel. */
  onClose: () => void;
  onSaved: (event: EventRecord) => void;
  onLoadNewer?: (newer: EventRecord) => void;
  onDirtyChange: DirtyChange;
}

/** The form for every field of an event. */
export function EventEditor(props: EventEditorProps) {
  const {
    event,
    latest,
    initial,
    isCopy = false,
    restoresDraft = false,
    onCancel,
    onClose,
    onSaved,
    onLoadNewer,
    onDirtyChange,
  } = props;
  const formId = useId();
  const body = useRef<HTMLFormElement>(null);
  const editor = useSaveEvent({ event, latest, initial, restoresDraft, onSaved, onDirtyChange });
  const { form, formProps, draft, forget, base, plan, isDirty, isSaving, isGone, isRefused, failure, newer, saveOver, dialog } =
    editor;

  useEffect(() => {
    const title = body.current?.querySelector<HTMLInputElement>('input[name="title"]');
    title?.focus({ preventScroll: true });
  }, []);

  return (
    <FormProvider {...form}>
      <SheetHeader title={event ? 'Edit event' : isCopy ? 'New event from a copy' : 'New event'} onClose={onClose}>
        {event && event.recurrence !== 'none' && (
          <p className="text-label text-muted">Changes concern all dates of the series.</p>
        )}
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
            description="Invitees read it in the invitation."
          />
          <ReminderFields />
          <LookFields hasStatus={event !== null} agent={event?.agent ?? null} />
        </form>
      </SheetBody>
      <SheetFooter>
        {newer && onLoadNewer && <EditedElsewhere onLoad={() => onLoadNewer(newer)} onSaveOver={saveOver} isSaving={isSaving} />}
        {isGone && (
          <p role="alert" className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
            This event was deleted elsewhere. What you typed is still here: it can be saved as a new event.
          </p>
        )}
        <FormError failure={failure} />
        {isRefused && !failure && (
          <p role="alert" className="text-label text-danger-text">
            Nothing was saved yet: some fields above need mending.
          </p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Button variant="secondary" onPress={onCancel} isDisabled={isSaving}>
            Cancel
          </Button>
          <PendingButton type="submit" form={formId} variant="primary" isPending={isSaving}>
            {isGone ? 'Save as a new event' : saveLabel({ plan, isNew: base === null })}
          </PendingButton>
        </div>
      </SheetFooter>
      {dialog}
      <UnsavedChangesGuard isDirty={isDirty} subject={event ? 'this event' : 'the new event'} onLeave={forget} />
    </FormProvider>
  );
}
