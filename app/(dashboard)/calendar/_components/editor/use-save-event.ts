'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { schemaResolver, validationTiming } from '@/app/_kit/schema-resolver';
import { useFormDraft } from '@/app/_kit/use-form-draft';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { mailPlan, patchOf, rebased } from './event-patch';
import { type EventValues, eventFormSchema, formPath, toRequest, toValues } from './event-values';
import { parseInvitees } from './invitee-list';
import { useMailQuestion } from './mail-question';
import { useStoreEvent } from './use-store-event';

const eventParts = [
  'title',
  'allDay',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
  'timezone',
  'recurrence',
  'recurrenceEndDate',
  'location',
  'meeting',
  'description',
  'color',
  'agentId',
  'invitees',
  'inviteeText',
  'sendEmailReminders',
  'reminders',
  'status',
] as const satisfies readonly (keyof EventValues)[];

const resolver = schemaResolver<EventValues>(async () => eventFormSchema);

/** Whether leaving would lose something, and what forgets it in this browser too. */
export type DirtyChange = (isDirty: boolean, forget: () => void) => void;

interface SaveEventOptions {
  /** The stored event as it was when the editor was opened; null for a new one. */
  event: EventRecord | null;
  initial: EventValues;
  /** Begins with what was typed before and not saved. */
  restoresDraft: boolean;
  onSaved: (event: EventRecord) => void;
  onDirtyChange: DirtyChange;
}

/** The form over an event: what is typed, whom saving it would mail, and all that can come between. Nothing typed is lost by a failure. */
export function useSaveEvent({ event, initial, restoresDraft, onSaved, onDirtyChange }: SaveEventOptions) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeEvent = useStoreEvent();
  const { ask, dialog } = useMailQuestion();
  const create = useMutation(trpc.calendar.create.mutationOptions());
  const update = useMutation(trpc.calendar.update.mutationOptions());
  const { data: identity } = useQuery(trpc.identity.get.queryOptions({}));
  const ownAddress = identity?.address ?? null;

  const form = useForm<EventValues>({ defaultValues: initial, resolver, ...validationTiming });
  const { failure, showError, clearFailure } = useFormErrors(form, formPath);
  /** The version that what is typed was put upon; null where there is none (any more), so that saving makes a new event. */
  const [base, setBase] = useState(event);
  const [isGone, setIsGone] = useState(false);
  /** Held from the first press of a key or button on: a second one must not save twice. */
  const isBusy = useRef(false);
  const { draft, forget } = useFormDraft<EventValues>({
    name: `event.${event?.id ?? 'new'}`,
    form,
    isNew: event === null,
    parts: eventParts,
    stored: () => ({ values: base ? toValues(base) : initial, version: base ? String(base.revision) : null }),
    secrets: ['meeting.password'],
    restoresAtOnce: restoresDraft,
  });
  const values = useWatch({ control: form.control }) as EventValues;
  const isSaving = create.isPending || update.isPending;

  const baseValues = useMemo(() => (base ? toValues(base) : null), [base]);
  const isDirty = useMemo(() => JSON.stringify(values) !== JSON.stringify(baseValues ?? initial), [values, baseValues, initial]);
  useEffect(() => onDirtyChange(isDirty, forget), [isDirty, onDirtyChange, forget]);
  useEffect(() => () => onDirtyChange(false, () => {}), [onDirtyChange]);

  const plan = useMemo(
    () => mailPlan({ event: base, values, patch: baseValues ? patchOf(baseValues, values) : {}, ownAddress }),
    [base, baseValues, values, ownAddress],
  );

  const settle = (saved: EventRecord) => {
    onDirtyChange(false, forget);
    forget();
    storeEvent(saved);
    onSaved(saved);
  };

  const fail = async (error: unknown, eventId: string | null) => {
    const { code, message } = errorFacts(error);
    if (code === 'not_found' && /agent/i.test(message)) {
      form.setError('agentId', { type: 'server', message: 'is not there any more: choose another' }, { shouldFocus: true });
      void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
    } else if (code === 'not_found' && eventId !== null) {
      setIsGone(true);
      setBase(null);
    } else if (code === 'edited_elsewhere' && eventId !== null) {
      // The newer version comes with the panel's own query, and the choice between the two with it.
      await queryClient.invalidateQueries(trpc.calendar.get.queryFilter({ eventId }));
      const known = queryClient.getQueryData(trpc.calendar.get.queryKey({ eventId }));
      if (known?.event.revision === base?.revision) showError(error);
    } else {
      showError(error);
    }
  };

  const saveUpon = async (typed: EventValues, stored: EventRecord | null) => {
    clearFailure();
    try {
      if (stored === null) return settle((await create.mutateAsync(toRequest(typed))).event);
      const patch = patchOf(toValues(stored), typed);
      if (Object.keys(patch).length === 0) return settle(stored);
      const { known, added, removed, isOfConcern } = mailPlan({ event: stored, values: typed, patch, ownAddress });
      const choice = isOfConcern
        ? await ask({
            title: typed.title,
            invitees: known,
            added,
            removed,
            what: patch.status === 'cancelled' ? 'cancelled' : 'changed',
            stayLabel: 'Keep editing',
          })
        : 'quiet';
      if (choice === null) return;
      const notice = choice === 'notify' ? { notifyAttendeesOfChanges: true } : {};
      const saved = await update.mutateAsync({ eventId: stored.id, ...patch, ...notice, ifRevision: stored.revision });
      settle(saved.event);
    } catch (error) {
      await fail(error, stored?.id ?? null);
    }
  };

  /** What stands in the field for a further invitee counts where it is one. */
  const takeInvitee = () => {
    const { inviteeText, invitees } = form.getValues();
    const { added, invalid } = parseInvitees(inviteeText, invitees);
    if (invalid.length > 0) return;
    if (added.length > 0) form.setValue('invitees', [...invitees, ...added]);
    form.setValue('inviteeText', '');
  };
  const save = (stored: EventRecord | null = base) => {
    if (isBusy.current) return;
    isBusy.current = true;
    takeInvitee();
    const submit = form.handleSubmit((typed) => saveUpon(typed, stored));
    void submit().finally(() => {
      isBusy.current = false;
    });
  };

  /** Puts what is typed on top of a newer version, and saves that. */
  const saveOver = (newer: EventRecord) => {
    const merged = rebased(baseValues ?? initial, form.getValues(), toValues(newer));
    setBase(newer);
    form.reset(merged);
    save(newer);
  };

  const formProps = {
    method: 'post',
    noValidate: true,
    onKeyDown: (pressed: KeyboardEvent) => {
      // A stray Enter in a field must not mail anybody; the button and Ctrl+Enter do.
      if (pressed.key === 'Enter' && pressed.target instanceof HTMLInputElement) pressed.preventDefault();
      if (pressed.key === 'Enter' && (pressed.ctrlKey || pressed.metaKey) && !pressed.nativeEvent.isComposing) {
        pressed.preventDefault();
        save();
      }
    },
    onSubmit: (submitted: { preventDefault(): void }) => {
      submitted.preventDefault();
      save();
    },
  } as const;

  const isRefused = form.formState.isSubmitted && Object.keys(form.formState.errors).length > 0;
  return { form, formProps, draft, forget, base, plan, isDirty, isSaving, isGone, isRefused, failure, saveOver, dialog };
}
