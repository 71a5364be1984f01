import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { Sheet, SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { CodeBlock } from '../../_components/code-block';
import { typeLabel } from '../../events/_components/event-labels';
import { attemptResult, attemptsLabel, deliveryLabel, durationLabel, refreshInterval } from './webhook-labels';
import { bodyOf, type DeliveryDetail } from './webhook-types';

interface DeliverySheetProps {
  webhookId: string;
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: its attempts with what the receiver answered, and what was sent. */
export function DeliverySheet({ webhookId, deliveryId, onClose }: DeliverySheetProps) {
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.webhooks.delivery.queryOptions(
      { webhookId, deliveryId },
      { refetchInterval: ({ state }) => refreshInterval(state.data && [state.data], Date.now()) },
    ),
  );
  const { data } = delivery;
  return (
    <Sheet isOpen onClose={onClose}>
      <SheetHeader title={data ? typeLabel(data.eventType) : 'Delivery'} onClose={onClose}>
        {data && <Summary delivery={data} />}
      </SheetHeader>
      <SheetBody>
        <QueryResult query={delivery} failure="Couldn’t load the delivery" loading="Loading delivery">
          {(detail) => (
            <div className="flex flex-col gap-5">
              <Attempts delivery={detail} />
              <Body delivery={detail} />
              <p className="text-label text-muted">
                Event ID <code className="font-mono text-xs break-all">{detail.eventId}</code>
              </p>
            </div>
          )}
        </QueryResult>
      </SheetBody>
      <SheetFooter>
        <ReplayButton webhookId={webhookId} deliveryId={deliveryId} isDisabled={!data} />
      </SheetFooter>
    </Sheet>
  );
}

/** The body as sent, with line breaks added. */
function Body({ delivery }: { delivery: DeliveryDetail }) {
  const body = bodyOf(delivery);
  if (body === null) return <p className="text-label text-muted">The event is no longer kept.</p>;
  return <CodeBlock title="Body" code={body} copyLabel="Copy body" />;
}

function Summary({ delivery }: { delivery: DeliveryDetail }) {
  const { tone, label } = deliveryLabel(delivery);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-2 text-label text-muted">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {delivery.isTest && 'Test'}
      <RelativeTime value={delivery.createdAt} />
    </p>
  );
}

function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const { attempts, attemptCount, status, nextAttemptAt, error } = delivery;
  return (
    <section aria-labelledby="attempts">
      <h3 id="attempts" className="mb-2 text-sm font-semibold">
        {attemptsLabel(Math.max(attemptCount, attempts.length))}
      </h3>
      {status === 'pending' && nextAttemptAt !== null && (
        <p className="mb-2 text-label text-muted">
          Next attempt <RelativeTime value={nextAttemptAt} />
        </p>
      )}
      {error !== null && error !== attempts[0]?.error && <p className="mb-2 wrap-anywhere text-danger-text">{error}</p>}
      <ol aria-label="Attempts" className="flex flex-col gap-2">
        {attempts.map((attempt) => (
          <li key={attempt.id} className="rounded-md border border-border px-3 py-2 text-label">
            <p className="flex flex-wrap items-center justify-between gap-x-3">
              <span className={`font-medium wrap-anywhere ${isGood(attempt.status) ? 'text-success-text' : 'text-danger-text'}`}>
                {attemptResult(attempt)}
              </span>
              <span className="text-muted">
                <RelativeTime value={attempt.startedAt} />, {durationLabel(attempt.durationMs)}
              </span>
            </p>
            {attempt.status !== null && attempt.error !== null && (
              <p className="mt-1 wrap-anywhere text-muted">{attempt.error}</p>
            )}
            {attempt.answer !== '' && (
              <pre
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard, too
                tabIndex={0}
                className="mt-2 max-h-40 overflow-auto rounded-sm bg-background-secondary p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
              >
                {attempt.answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Sends the event again, with the same id. */
function ReplayButton({ webhookId, deliveryId, isDisabled }: Omit<DeliverySheetProps, 'onClose'> & { isDisabled: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
      onError: (error) => toast.failure('Couldn’t send it again.', error),
    }),
  );
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="text-label text-muted">Sends the same event with the same ID.</p>
      <PendingButton
        variant="secondary"
        isDisabled={isDisabled}
        isPending={replay.isPending}
        onPress={() => replay.mutate({ webhookId, deliveryId })}
      >
        <RotateCw aria-hidden />
        Replay
      </PendingButton>
    </div>
  );
}
