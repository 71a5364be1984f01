import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { toast } from '@/app/_kit/toast';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import type { PreviousValues } from '@/server/features/audit/previous-values.schema';
import { fieldName, resourceLabels } from './audit-labels';
import { subjectOf } from './audit-sentence';
import { Value } from './audit-value';
import { readValue } from './audit-values';
import { useViewersClock } from './log-time';
import { keyOf, restoreRequest } from './restore-request';

type Change = NonNullable<PreviousValues['change']>;

interface RestoreValuesDialogProps {
  entry: AuditEntry;
  onClose: () => void;
}

/** Shows what the values of a change were before and are now, and restores those that are chosen, as a new change. */
export function RestoreValuesDialog({ entry, onClose }: RestoreValuesDialogProps) {
  const trpc = useTRPC();
  // Not cached: a selection made from older values would be replaced when the current ones arrive.
  const query = useQuery(trpc.audit.previous.queryOptions({ entryId: entry.id }, { staleTime: 0, gcTime: 0 }));
  const { data, error, refetch, isFetching } = query;
  const record = resourceLabels[entry.resource].one.toLowerCase();
  const isGone = error !== null && errorFacts(error).code === 'not_found';
  const nothing = isGone
    ? `This ${record} was deleted. Restore it first.`
    : data?.change === null
      ? 'The previous values are no longer kept in full.'
      : data?.change.values.length === 0 && `This ${record} has the same values as before this change.`;
  return (
    <Dialog isOpen onOpenChange={onClose} title="Restore previous values" description={subjectOf(entry)} size="lg">
      {nothing ? (
        <>
          <p>{nothing}</p>
          <div className="mt-4 flex justify-end">
            <Button variant="secondary" onPress={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load the values" />
      ) : data?.change ? (
        <RestoreForm change={data.change} isFetching={isFetching} onStale={refetch} onClose={onClose} />
      ) : (
        <SkeletonLines lines={4} shape="text" label="Loading values" />
      )}
    </Dialog>
  );
}

interface RestoreFormProps {
  change: Change;
  isFetching: boolean;
  /** Called if the record has changed since its values were read. */
  onStale: () => unknown;
  onClose: () => void;
}

/** The initial selection: every value except those that were changed again later. */
function proposed({ revision, values }: Change) {
  return { revision, chosen: new Set(values.filter((value) => !value.isChangedSince).map(keyOf)) };
}

function RestoreForm({ change, isFetching, onStale, onClose }: RestoreFormProps) {
  const [{ revision, chosen }, setChoice] = useState(() => proposed(change));
  // A new revision of the record has a new selection.
  if (revision !== change.revision) setChoice(proposed(change));
  const { mutate, isPending, error } = useRestoreValues(change, { onStale, onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.size > 0) mutate(chosen);
  };
  const choose = (key: string, isChosen: boolean) =>
    setChoice({ revision, chosen: new Set(isChosen ? [...chosen, key] : [...chosen].filter((other) => other !== key)) });
  return (
    <DialogForm
      label="Previous values"
      submitLabel={chosen.size === 1 ? 'Restore 1 value' : `Restore ${chosen.size} values`}
      isDisabled={chosen.size === 0 || isFetching}
      isPending={isPending}
      failure={error && failureOf(error)}
      onSubmit={submit}
      onCancel={onClose}
    >
      {change.kind === 'event' && <p className="text-label text-muted">Guests aren’t notified.</p>}
      <ul className="-mx-1 flex max-h-[50vh] flex-col overflow-y-auto px-1">
        {change.values.map((value) => (
          <ValueChoice
            key={keyOf(value)}
            value={value}
            isChosen={chosen.has(keyOf(value))}
            onChange={(isChosen) => choose(keyOf(value), isChosen)}
          />
        ))}
      </ul>
    </DialogForm>
  );
}

function failureOf(error: unknown) {
  const { code, message, requestId } = errorFacts(error);
  if (code !== 'precondition_failed') return { message, requestId };
  return { message: 'Changed elsewhere in the meantime. Check the values again.', requestId: undefined };
}

interface ValueChoiceProps {
  value: Change['values'][number];
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

function ValueChoice({ value: { path, previous, current, isChangedSince }, isChosen, onChange }: ValueChoiceProps) {
  const clock = useViewersClock();
  const field = path.at(-1) ?? '';
  return (
    <li className="flex flex-col gap-1.5 border-b border-separator py-3 last:border-b-0">
      <label className="flex min-h-6 cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="font-medium first-letter:uppercase">{path.map(fieldName).join(' › ')}</span>
        {isChangedSince && <span className="text-label text-warning-text">Changed again since</span>}
      </label>
      <div className="flex flex-col items-start gap-1 pl-6.5 text-label">
        <Value value={readValue(current, field)} side="now" clock={clock} />
        <Value value={readValue(previous, field)} side="restored" clock={clock} />
      </div>
    </li>
  );
}

/** Sends the change of the record, if it is still the one that is shown. */
function useRestoreValues(change: Change, { onStale, onClose }: Pick<RestoreFormProps, 'onStale' | 'onClose'>) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { kind, id, revision } = change;
  const condition = ifMatch(revision);
  const requests = {
    customer: (values: object) => client.customers.update.mutate({ id, ...values }, condition),
    event: (values: object) => client.calendar.update.mutate({ eventId: id, ...values }, condition),
    post: (values: object) => client.blog.update.mutate({ postId: id, ...values }, condition),
    agent: (values: object) => client.agents.update.mutate({ agentId: id, ...values }, condition),
    identity: (values: object) => client.identity.update.mutate(values, condition),
  };
  const filters = {
    customer: trpc.customers.pathFilter(),
    event: trpc.calendar.pathFilter(),
    post: trpc.blog.pathFilter(),
    agent: trpc.agents.pathFilter(),
    identity: trpc.identity.pathFilter(),
  };
  return useMutation({
    mutationFn: (chosen: ReadonlySet<string>): Promise<unknown> => requests[kind](restoreRequest(change, chosen)),
    onSuccess: () => {
      onClose();
      toast('Values restored');
      void queryClient.invalidateQueries(filters[kind]);
      void queryClient.invalidateQueries(trpc.audit.list.pathFilter());
    },
    onError: (error) => {
      if (['precondition_failed', 'not_found'].includes(errorFacts(error).code)) onStale();
    },
  });
}
