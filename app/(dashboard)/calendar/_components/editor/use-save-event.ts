import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { useStoreEvent, useUpdateEvent } from './event-mutations';
import { mailPlan, patchOf, rebased } from './event-patch';
import { type EventValues, eventFormSchema, formPath, toRequest, toValues } from './event-values';
import { parseInvitees } from './invitee-list';
import { useMailQuestion } from './mail-question';
import { useOfferUndo } from './use-offer-undo';

const eventParts = {
  title: 'Title',
  allDay: 'All day',
  startDate: 'Start',
  startTime: 'Start time',
  endDate: 'End',
  endTime: 'End time',
  timezone: 'Time zone',
  recurrence: 'Repeats',
  recurrenceEndDate: 'Repeat until',
  location: 'Location',
  meeting: 'Online meeting',
  description: 'Description',
  color: 'Color',
  agentId: 'Agent',
  invitees: 'Guests',
  inviteeText: 'Guest',
  sendEmailReminders: 'Invitations',
  reminders: 'Reminders',
  status: 'Status',
} as const satisfies Record<keyof EventValues, string>;

const secrets = ['meeting.password'] as const;

const resolver = schemaResolver<EventValues>(async () => eventFormSchema);

const toStored = (event: EventRecord) => ({ values: toValues(event), version: event.revision });

interface SaveEventOptions {
  /** The stored event as it was when the editor was opened; null for a new one. */
  event: EventRecord | null;
  /** Its latest version, if known. */
  latest: EventRecord | null;
  initial: EventValues;
  /** Starts from the unsaved draft. */
  restoresDraft: boolean;
  onSaved: (event: EventRecord) => void;
}

/** The form over an event: its values, and whom saving it would mail. */
export function useSaveEvent({ event, latest, initial, restoresDraft, onSaved }: SaveEventOptions) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeEvent = useStoreEvent();
  const { ask, dialog } = useMailQuestion();
  const create = useMutation(trpc.calendar.create.mutationOptions());
  const update = useUpdateEvent();
  const offerUndo = useOfferUndo();
  const { data: identity } = useQuery(trpc.identity.get.queryOptions({}));
  const ownAddress = identity?.address ?? null;
  /** The version that the changes are based on; null for a new event, and once the event was deleted elsewhere. */
  const [base, setBase] = useState(event);
  const isGone = event !== null && base === null;
  const newest = latest ?? event;
  const values = useMemo(() => (newest ? toValues(newest) : initial), [newest, initial]);
  const baseValues = useMemo(() => (base ? toValues(base) : null), [base]);

  const saveOnto = async (typed: EventValues, stored: EventRecord): Promise<EventRecord | null> => {
    const patch = patchOf(toValues(stored), typed);
    if (Object.keys(patch).length === 0) return stored;
    const { known, added, removed, affectsInvitees } = mailPlan({ event: stored, values: typed, patch, ownAddress });
    const what = patch.status === 'cancelled' ? 'cancelled' : 'changed';
    const question = { title: typed.title, invitees: known, added, removed, what, stayLabel: 'Keep editing' } as const;
    const choice = affectsInvitees ? await ask(question) : 'quiet';
    if (choice === null) return null;
    const notice = choice === 'notify' ? { notifyAttendeesOfChanges: true } : {};
    const answer = await update.mutateAsync({ eventId: stored.id, ...patch, ...notice, revision: stored.revision });
    offerUndo({ before: stored, after: answer.event, isNotified: choice === 'notify' });
    return answer.event;
  };

  const { form, formProps, draft, forgetDraft, isDirty, failure, conflict } = useRecordForm<EventValues>({
    draftName: `event.${event?.id ?? 'new'}`,
    values,
    version: newest?.revision ?? 0,
    resolver,
    parts: eventParts,
    secrets,
    isNew: event === null,
    restoresWithoutAsking: restoresDraft,
    savesUnchanged: true,
    rebase: rebased,
    mapPath: formPath,
    save: async (typed, _changed, version) => {
      const stored = [latest, event].find((known) => known?.revision === version) ?? newest;
      const saved = stored && !isGone ? await saveOnto(typed, stored) : (await create.mutateAsync(toRequest(typed))).event;
      if (!saved) return null;
      forgetDraft();
      storeEvent(saved);
      onSaved(saved);
      return toStored(saved);
    },
    fetchNewest: async () => {
      const query = trpc.calendar.get.queryOptions({ eventId: event?.id ?? '' }, { staleTime: 0 });
      return toStored((await queryClient.fetchQuery(query)).event);
    },
    // A complete address in the field for another invitee is included.
    onSubmit: () => {
      const { inviteeText, invitees } = form.getValues();
      const { added, invalid } = parseInvitees(inviteeText, invitees);
      if (invalid.length > 0) return;
      if (added.length > 0) form.setValue('invitees', [...invitees, ...added]);
      form.setValue('inviteeText', '');
    },
    onFailed: (error) => {
      const { code, message } = errorFacts(error);
      if (code !== 'not_found') return false;
      if (/agent/i.test(message)) {
        form.setError('agentId', { type: 'server', message: 'no longer exists. Choose another one' }, { shouldFocus: true });
        void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
      } else if (base === null) return false;
      else setBase(null);
      return true;
    },
  });

  const typed = useWatch({ control: form.control }) as EventValues;
  const plan = useMemo(
    () => mailPlan({ event: base, values: typed, patch: baseValues ? patchOf(baseValues, typed) : {}, ownAddress }),
    [base, baseValues, typed, ownAddress],
  );

  const onKeyDown = (pressed: KeyboardEvent) => {
    // A stray Enter in a field must not mail anyone; the button and Ctrl+Enter do.
    if (pressed.key !== 'Enter') return;
    const isAsked = (pressed.ctrlKey || pressed.metaKey) && !pressed.nativeEvent.isComposing;
    if (isAsked || pressed.target instanceof HTMLInputElement) pressed.preventDefault();
    if (isAsked) void formProps.onSubmit();
  };
  return {
    form,
    formProps: { ...formProps, onKeyDown },
    draft,
    forget: forgetDraft,
    base,
    plan,
    isDirty,
    // False while the question about mail is open.
    isSaving: create.isPending || update.isPending,
    isGone,
    failure,
    dialog,
    isRefused: form.formState.isSubmitted && Object.keys(form.formState.errors).length > 0,
    /** The choice between two versions, once the event was changed elsewhere. */
    newer: isGone || conflict === null ? null : latest,
    saveOver: () => {
      setBase(latest);
      conflict?.keepMine();
    },
  };
}
