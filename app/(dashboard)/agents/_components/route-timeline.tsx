import { Flag, TriangleAlert } from 'lucide-react';
import type { CSSProperties } from 'react';
import { SectionCard } from '@/app/_kit/section-card';
import { type EscalationStep, escalationTimeline, usesOwnerFallback } from '@/server/features/agents/escalation';
import type { EscalationRoute } from '@/server/features/agents/escalation.schema';
import { formatMinutes, levelName, nobodyReason, targetsOf, waysOf } from './route-words';

interface RouteTimelineProps {
  routes: readonly EscalationRoute[];
  ownerEmail: string;
}

/**
 * Who is reached when, if nobody answers. Each mark is as far from the next as its level waits, but never closer than its words need;
 * where the window is narrow the bar stands upright.
 */
export function RouteTimeline({ routes, ownerEmail }: RouteTimelineProps) {
  const steps = escalationTimeline(routes, ownerEmail);
  return (
    <SectionCard
      title="If nobody answers"
      description="Counted from the moment the agent asks for a person. Follows what you type."
    >
      <ol aria-label="Who is reached when" className="flex flex-col sm:flex-row sm:flex-wrap sm:gap-y-5">
        {steps.map((step) => (
          <TimelineStep key={step.route?.level ?? 'owner'} step={step} ownerEmail={ownerEmail} />
        ))}
      </ol>
      {usesOwnerFallback(routes) && (
        <p className="mt-4 text-label text-muted">
          A level that mails without an address of its own reaches the owner, <span className="wrap-anywhere">{ownerEmail}</span>.
        </p>
      )}
    </SectionCard>
  );
}

function TimelineStep({ step, ownerEmail }: { step: EscalationStep; ownerEmail: string }) {
  const { atMinutes, route, reach } = step;
  const isNobody = reach.length === 0;
  const who = route ? levelName(route.level, route.label) : 'Owner';
  const how = isNobody ? 'Reaches no one' : route ? waysOf(reach) : 'by email';
  const where = (route ? nobodyReason(route, ownerEmail) : null) ?? targetsOf(route ?? { toUserId: null }, reach);
  return (
    <li
      style={{ '--wait': Math.max(route?.timeoutMins ?? 0, 1) } as CSSProperties}
      className={`relative flex gap-3 sm:min-w-36 sm:flex-col sm:gap-2 ${route ? 'max-sm:pb-3 sm:grow-(--wait) sm:basis-0' : 'sm:flex-none'}`}
    >
      {/* The stretch of the bar until the next mark. */}
      {route && (
        <span
          aria-hidden
          className={`absolute rounded-full max-sm:top-5 max-sm:bottom-0 max-sm:left-2 max-sm:w-1 sm:top-2 sm:right-0 sm:left-5 sm:h-1 ${isNobody ? 'bg-warning-soft-hover' : 'bg-accent-soft-hover'}`}
        />
      )}
      <span
        aria-hidden
        className={`flex size-5 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${isNobody ? 'bg-warning text-warning-foreground' : route ? 'bg-accent text-accent-foreground' : 'bg-foreground text-background'}`}
      >
        {isNobody ? <TriangleAlert className="size-3" /> : route ? <Mark level={route.level} /> : <Flag className="size-3" />}
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
          className={`line-clamp-2 text-label wrap-anywhere ${isNobody ? 'font-medium text-warning-text' : 'text-muted'}`}
          title={where}
        >
          {how}
        </p>
      </div>
    </li>
  );
}

/** A number of up to two digits fits into a mark; a longer one is in its name below. */
const Mark = ({ level }: { level: number }) => (level < 100 ? level : '·');
