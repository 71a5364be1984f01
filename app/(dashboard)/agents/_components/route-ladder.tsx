'use client';

import { ListOrdered, Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { SectionCard } from '@/app/_kit/section-card';
import { useDragReorder } from '@/app/_kit/use-drag-reorder';
import { escalationTimeline } from '@/server/features/agents/escalation';
import { type EscalationRoute, routesMaximum } from '@/server/features/agents/escalation.schema';
import { useRouteList } from './route-list';
import { RouteRung } from './route-rung';
import { isFull } from './route-values';
import { formatMinutes } from './route-words';

interface RouteLadderProps {
  ownerEmail: string;
  /** The routes as they are typed, in the order of the form. */
  drafts: readonly EscalationRoute[];
  /** Told of every message that offers to bring a removed level back. */
  onUndoOffered: (toastId: string | number) => void;
}

/** The levels in the order in which they are tried, with the owner at the end. Part of the form: nothing is stored before it is saved. */
export function RouteLadder({ ownerEmail, drafts, onUndoOffered }: RouteLadderProps) {
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
            title="No levels yet"
            description={
              <>
                When this agent needs a person, the owner, <span className="wrap-anywhere">{ownerEmail}</span>, is asked at once
                by email.
              </>
            }
            action={
              <Button variant="primary" data-control="add" onPress={add}>
                <Plus aria-hidden />
                Add the first level
              </Button>
            }
            apiHint="PATCH /identity/agents/{agentId}/hitl"
          />
        </div>
      ) : (
        <SectionCard title="Levels" description="Tried from top to bottom, until somebody answers.">
          <ol ref={list} aria-label="Levels">
            {fields.map((field, index) => (
              <RouteRung
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
              After {formatMinutes(end?.atMinutes ?? 0)} without an answer the owner,{' '}
              <span className="wrap-anywhere">{ownerEmail}</span>, is notified by email.
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
              Add level
            </Button>
            {isAtMost && (
              <p id={fullId} className="text-label text-muted">
                An agent has at most {routesMaximum} levels. Remove one to add another.
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
