import { TriangleAlert } from 'lucide-react';
import { type PointerEvent, useEffect, useState } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { DragHandle, RowButtons, RowToggle } from '@/app/_kit/sortable-row';
import { reachOf } from '@/server/features/agents/escalation';
import type { EscalationRoute } from '@/server/features/agents/escalation.schema';
import { usePeople } from '../../_components/team/people';
import { RouteFields } from './route-fields';
import { channelLabels, formatMinutes, levelName, targetsOf, unreachableReason } from './route-labels';
import { type RoutesValues, toDraftRoute } from './route-values';

interface RouteCardProps {
  id: string;
  index: number;
  count: number;
  ownerEmail: string;
  /** Just added, so it is shown open. */
  isNew: boolean;
  isDragged: boolean;
  onDragStart: (event: PointerEvent) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One level: a row that can be sorted; opened, its fields. */
export function RouteCard({ id, index, count, ownerEmail, isNew, isDragged, onDragStart, onMove, onRemove }: RouteCardProps) {
  const { control } = useFormContext<RoutesValues>();
  const { errors, submitCount } = useFormState({ control });
  const values = useWatch({ control, name: `routes.${index}` });
  const [isOpen, setIsOpen] = useState(isNew);
  const refused = errors.routes?.[index];

  // A refused field must be in view, even if the level was closed.
  useEffect(() => {
    if (submitCount > 0 && refused) setIsOpen(true);
  }, [submitCount, refused]);

  // Undefined while the row is being removed.
  if (!values) return null;
  const draft = toDraftRoute(values);
  const name = levelName(draft.level, draft.label);
  const unreachable = unreachableReason(draft, ownerEmail);
  const panelId = `route-${id}`;

  return (
    <li data-route={id} aria-label={name} className="flex gap-2 sm:gap-3">
      <span aria-hidden className="flex w-6 shrink-0 flex-col items-center sm:w-7">
        <span className={`h-3.5 w-px ${index === 0 ? '' : 'bg-border-secondary'}`} />
        <span
          className={`flex h-6 min-w-6 items-center justify-center rounded-full px-1 text-xs font-semibold sm:h-7 sm:min-w-7 ${unreachable ? 'bg-warning-soft text-warning-text' : 'bg-accent-soft text-accent-text'}`}
        >
          {draft.level}
        </span>
        <span className="w-px grow bg-border-secondary" />
      </span>
      <div
        className={`mb-3 min-w-0 flex-1 rounded-md border bg-surface ${unreachable ? 'border-warning/60' : 'border-border'} ${isDragged ? 'relative z-10 shadow-overlay' : ''}`}
      >
        <div className="flex min-h-14 items-center gap-1 py-1 pr-2 pl-1 max-sm:flex-wrap">
          <DragHandle onDragStart={onDragStart} />
          <RowToggle name={name} isOpen={isOpen} onOpenChange={setIsOpen} panelId={panelId} className="py-1">
            <RouteSummary draft={draft} name={name} ownerEmail={ownerEmail} />
          </RowToggle>
          <div className="flex shrink-0 items-center max-sm:w-full max-sm:pl-8">
            <span className="mr-auto text-label text-muted sm:px-2">
              {draft.timeoutMins > 0 ? `next after ${formatMinutes(draft.timeoutMins)}` : 'no wait set'}
            </span>
            <RowButtons name={name} index={index} count={count} onMove={onMove} onRemove={onRemove} />
          </div>
        </div>
        {unreachable && (
          <p className="flex items-center gap-2 border-t border-separator bg-warning-soft px-3 py-2 text-label text-warning-text">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            {unreachable}
          </p>
        )}
        {refused?.level?.message && (
          <p className="px-3 pb-2 text-label text-danger-text">{fieldMessage(`Step ${draft.level}`, refused.level.message)}</p>
        )}
        {/* Closed fields stay mounted, so that they are validated as well. */}
        <div id={panelId} hidden={!isOpen} className="border-t border-separator px-4 pt-4 pb-5">
          <RouteFields index={index} draft={draft} ownerEmail={ownerEmail} isLast={index === count - 1} />
        </div>
      </div>
    </li>
  );
}

/** Summary of a level in two lines: its label, then channels and recipients. */
function RouteSummary({ draft, name, ownerEmail }: { draft: EscalationRoute; name: string; ownerEmail: string }) {
  const reach = reachOf(draft, ownerEmail).filter(({ via }) => via !== 'dashboard');
  const targets = targetsOf(draft, reach, usePeople());
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-1">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-1">
        {draft.channels.map((channel) => (
          <span key={channel} className="shrink-0 rounded-sm bg-default px-1.5 text-xs leading-5">
            {channelLabels[channel]}
          </span>
        ))}
        <span className="min-w-0 truncate text-label text-muted" title={targets}>
          {targets}
        </span>
      </span>
    </span>
  );
}
