import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Flag, ListOrdered, Plus, TriangleAlert } from 'lucide-react';
import { type CSSProperties, useEffect, useId, useMemo, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { QueryResult } from '@/app/_kit/query-result';
import { RecordForm } from '@/app/_kit/record-form';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useDragReorder } from '@/app/_kit/use-drag-reorder';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { type EscalationStep, escalationTimeline, usesOwnerFallback } from '@/server/features/agents/escalation';
import { type Escalation, type EscalationRoute, routesMaximum } from '@/server/features/agents/escalation.schema';
import { usePeople } from '../../_components/team/people';
import { RouteCard } from './route-card';
import { channelsText, formatMinutes, levelName, targetsOf, unreachableReason } from './route-labels';
import { useRouteList } from './route-list';
import { isFull, type RoutesValues, routesSchema, toDraftRoute, toRoutesInput, toRoutesValues } from './route-values';

interface RouteTimelineProps {
  routes: readonly EscalationRoute[];
  ownerEmail: string;
}

/**
 * A timeline of who is notified when, if no one responds. The distance of marks is proportional to the wait, with a minimum for
 * their labels. In a narrow window the bar is vertical.
 */
function RouteTimeline({ routes, ownerEmail }: RouteTimelineProps) {
  const steps = escalationTimeline(routes, ownerEmail);
  return (
    <SectionCard title="Escalation timeline" description="Starts when the agent asks for help.">
      <ol aria-label="Escalation timeline" className="flex flex-col sm:flex-row sm:flex-wrap sm:gap-y-5">
        {steps.map((step) => (
          <TimelineStep key={step.route?.level ?? 'owner'} step={step} ownerEmail={ownerEmail} />
        ))}
      </ol>
      {usesOwnerFallback(routes) && (
        <p className="mt-4 text-label text-muted">
          Steps without an email address go to the owner, <span className="wrap-anywhere">{ownerEmail}</span>.
        </p>
      )}
    </SectionCard>
  );
}

function TimelineStep({ step, ownerEmail }: { step: EscalationStep; ownerEmail: string }) {
  const { atMinutes, route, reach } = step;
  const isUnreachable = reach.length === 0;
  const who = route ? levelName(route.level, route.label) : 'Owner';
  const how = isUnreachable ? 'No one is notified' : route ? channelsText(reach) : 'by email';
  const people = usePeople();
  const targets = targetsOf(route ?? { toUserId: null }, reach, people);
  const where = (route && unreachableReason(route, ownerEmail)) ?? targets;
  return (
    <li
      style={{ '--wait': Math.max(route?.timeoutMins ?? 0, 1) } as CSSProperties}
      className={`relative flex gap-3 sm:min-w-36 sm:flex-col sm:gap-2 ${route ? 'max-sm:pb-3 sm:grow-(--wait) sm:basis-0' : 'sm:flex-none'}`}
    >
      {/* The segment of the bar up to the next mark. */}
      {route && (
        <span
          aria-hidden
          className={`absolute rounded-full max-sm:top-5 max-sm:bottom-0 max-sm:left-2 max-sm:w-1 sm:top-2 sm:right-0 sm:left-5 sm:h-1 ${isUnreachable ? 'bg-warning-soft-hover' : 'bg-accent-soft-hover'}`}
        />
      )}
      <span
        aria-hidden
        className={`flex size-5 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${isUnreachable ? 'bg-warning text-warning-foreground' : route ? 'bg-accent text-accent-foreground' : 'bg-foreground text-background'}`}
      >
        {isUnreachable ? (
          <TriangleAlert className="size-3" />
        ) : route ? (
          <Mark level={route.level} />
        ) : (
          <Flag className="size-3" />
        )}
      </span>
      <div className="min-w-0 sm:pr-4">
        <p className="text-label font-semibold">
          {formatMinutes(atMinutes)}
          <span className="sr-only">: </span>
        </p>
        <p className="truncate" title={who}>
          {who}
        </p>
        <p
          className={`line-clamp-2 text-label wrap-anywhere ${isUnreachable ? 'font-medium text-warning-text' : 'text-muted'}`}
          title={where}
        >
          {how}
        </p>
      </div>
    </li>
  );
}

/** A number of up to two digits fits into a mark; a longer one is shown in its name below. */
const Mark = ({ level }: { level: number }) => (level < 100 ? level : '·');

const toStored = ({ routes, revision }: Escalation) => ({ values: toRoutesValues(routes), version: revision });

const resolver = schemaResolver<RoutesValues>(async () => routesSchema);

/** The form of an agent's routes: the timeline and the levels. All levels are saved together. */
function RouteEditor({ escalation }: { escalation: Escalation }) {
  const { agentId, ownerEmail, routes } = escalation;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const client = useTRPCClient();
  const values = useMemo(() => toRoutesValues(routes), [routes]);
  const { discard, ...record } = useRecordForm<RoutesValues>({
    draftName: `routes.${agentId}`,
    values,
    resolver,
    version: escalation.revision,
    parts: { routes: 'Escalation steps' },
    save: async (typed, _changed, version) => {
      const saved = await client.agents.updateHitl.mutate({ agentId, routes: toRoutesInput(typed) }, ifMatch(version));
      queryClient.setQueryData(trpc.agents.hitl.queryKey({ agentId }), saved);
      void queryClient.invalidateQueries(trpc.agents.get.queryFilter({ agentId }));
      void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
      return toStored(saved);
    },
    fetchNewest: async () => toStored(await queryClient.fetchQuery(trpc.agents.hitl.queryOptions({ agentId }, { staleTime: 0 }))),
  });
  const typed = useWatch({ control: record.form.control, name: 'routes' });
  const drafts = useMemo(() => typed.map(toDraftRoute), [typed]);

  // A level restored by discarding, or on a page that was left, must not be restored twice.
  const undoable = useRef<(string | number)[]>([]);
  const discardAll = () => {
    for (const id of undoable.current) toast.dismiss(id);
    undoable.current = [];
    discard();
  };
  useEffect(() => {
    const ids = undoable;
    return () => ids.current.forEach((id) => void toast.dismiss(id));
  }, []);

  return (
    <RecordForm
      record={{ ...record, discard: discardAll }}
      label="Escalation"
      subject="this agent’s escalation steps"
      needs="agents:write"
    >
      {drafts.length > 0 && <RouteTimeline routes={drafts} ownerEmail={ownerEmail} />}
      <RouteCards ownerEmail={ownerEmail} drafts={drafts} onUndoOffered={(id) => undoable.current.push(id)} />
    </RecordForm>
  );
}

/** The tab with an agent's escalation routes. */
export function RoutesTab({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.agents.hitl.queryOptions({ agentId }));
  return (
    <QueryResult query={query} failure="Couldn’t load escalation steps" loading="Loading escalation steps" lines={8}>
      {(escalation) => <RouteEditor key={escalation.agentId} escalation={escalation} />}
    </QueryResult>
  );
}

interface RouteCardsProps {
  ownerEmail: string;
  /** The routes as typed, in form order. */
  drafts: readonly EscalationRoute[];
  /** Called with every toast that offers to restore a removed level. */
  onUndoOffered: (toastId: string | number) => void;
}

/**
 * The levels in the order in which they are tried, ending with the owner. Part of the form: nothing is stored before it is
 * saved.
 */
function RouteCards({ ownerEmail, drafts, onUndoOffered }: RouteCardsProps) {
  const list = useRef<HTMLOListElement>(null);
  const section = useRef<HTMLDivElement>(null);
  const { fields, newest, add, move, remove, moveByKey, announcement } = useRouteList({ section, onUndoOffered });
  const { dragged, start } = useDragReorder({ list, onMove: move });
  const fullId = useId();
  const isAtMost = isFull(fields.length);
  const end = escalationTimeline(drafts, ownerEmail).at(-1);

  return (
    <div ref={section}>
      {fields.length === 0 ? (
        <div className="rounded-lg border border-border bg-surface">
          <EmptyState
            icon={ListOrdered}
            title="No escalation steps"
            description={
              <>
                When this agent needs help, it escalates to the owner, <span className="wrap-anywhere">{ownerEmail}</span>. Add
                steps to involve others first.
              </>
            }
            action={
              <Button variant="primary" data-control="add" onPress={add}>
                <Plus aria-hidden />
                Add step
              </Button>
            }
          />
        </div>
      ) : (
        <SectionCard title="Steps" description="Followed from top to bottom until someone responds.">
          <ol ref={list} aria-label="Steps">
            {fields.map((field, index) => (
              <RouteCard
                key={field.key}
                id={field.key}
                index={index}
                count={fields.length}
                ownerEmail={ownerEmail}
                isNew={newest === index}
                isDragged={dragged === index}
                onDragStart={(event) => start(event, index)}
                onMove={(to) => moveByKey(field.key, index, to)}
                onRemove={() => remove(index)}
              />
            ))}
          </ol>
          <p className="flex items-center gap-2 pb-4 text-label text-muted sm:gap-3">
            <span aria-hidden className="flex w-6 shrink-0 justify-center sm:w-7">
              <span className="size-2.5 rounded-full bg-foreground" />
            </span>
            <span className="min-w-0">
              After {formatMinutes(end?.atMinutes ?? 0)} without a response, it escalates to the owner,{' '}
              <span className="wrap-anywhere">{ownerEmail}</span>.
            </span>
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant="secondary"
              size="sm"
              data-control="add"
              onPress={add}
              isDisabled={isAtMost}
              {...(isAtMost ? { 'aria-describedby': fullId } : {})}
            >
              <Plus aria-hidden />
              Add step
            </Button>
            {isAtMost && (
              <p id={fullId} className="text-label text-muted">
                An agent has at most {routesMaximum} steps. Remove one to add another.
              </p>
            )}
          </div>
        </SectionCard>
      )}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </div>
  );
}
