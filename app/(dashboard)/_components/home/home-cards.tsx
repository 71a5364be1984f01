import Link from 'next/link';
import { useId } from 'react';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import type { Home } from '@/server/features/home/home.schema';
import type { Meter } from '@/server/features/usage/usage.schema';
import { customerName, primaryContact } from '../../customers/_components/customer-name';
import { compact, estimate, formatPercent, metricLabels, toMeterView } from '../../usage/_components/figures';
import { agentHref, cappedCount, type MeterTone, meterTone } from './attention';

/** This month's two meters against the plan, with their projection. */
export function UsageCard({ usage: { plan, tokenUsage, executions }, projection }: Pick<Home, 'usage' | 'projection'>) {
  return (
    <SectionCard
      title="Usage"
      description={`This month on the ${plan} plan`}
      actions={<CardLink href="/usage">Details</CardLink>}
    >
      <div className="flex flex-col gap-4">
        <SmallMeter title={metricLabels.tokens} meter={tokenUsage} projection={projection.tokens} />
        <SmallMeter title={metricLabels.executions} meter={executions} projection={projection.executions} />
      </div>
    </SectionCard>
  );
}

const fills: Record<MeterTone, { used: string; hatch: string }> = {
  within: { used: 'bg-accent', hatch: 'text-accent' },
  nearly: { used: 'bg-warning', hatch: 'text-warning' },
  over: { used: 'bg-danger', hatch: 'text-danger' },
};

interface SmallMeterProps {
  title: string;
  meter: Meter;
  /** Projected use at the end of the month. */
  projection: number;
}

function SmallMeter({ title, meter, projection }: SmallMeterProps) {
  const headingId = useId();
  const locale = useViewerLocale();
  const tone = meterTone(meter);
  const { current, limit, percentage } = meter;
  const view = toMeterView(current, limit, projection);
  const isHeadingOver = view.state === 'heading-over';
  const used = compact(current, locale, 'letter');
  const amount =
    limit < 0 ? `${used}, unlimited` : `${used} of ${compact(limit, locale, 'letter')}, ${formatPercent(percentage, locale)}`;
  const outlook = current > 0 ? `On track for ${compact(estimate(projection, current), locale, 'letter')} this month` : '';
  return (
    <div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-2 text-label">
        <h3 id={headingId} className="font-medium">
          {title}
        </h3>
        <span className="ml-auto text-muted">{amount}</span>
      </div>
      {limit >= 0 && (
        <>
          <meter
            className="sr-only"
            aria-labelledby={headingId}
            min={0}
            value={current}
            max={Math.max(limit, current)}
            aria-valuetext={amount}
          />
          <div aria-hidden className="mt-1.5 flex h-2 overflow-hidden rounded-sm bg-default">
            <div className={`shrink-0 ${fills[tone].used}`} style={{ width: `${Math.min(100, percentage)}%` }} />
            <div
              className={`min-w-0 bg-[repeating-linear-gradient(135deg,currentColor_0_1px,transparent_1px_4px)] ${
                isHeadingOver ? 'text-warning' : fills[tone].hatch
              }`}
              style={{ width: `${view.state === 'within' ? view.projected - view.used : isHeadingOver ? 100 - percentage : 0}%` }}
            />
          </div>
        </>
      )}
      {outlook && (
        <p className={`mt-1 text-xs ${isHeadingOver ? 'text-warning-text' : 'text-muted'}`}>
          {outlook}
          {isHeadingOver && ', over your plan'}
        </p>
      )}
    </div>
  );
}

/** Agents that failed recently or are paused, each with a link to its page. */
export function AgentsCard({ agents: { paused, shown } }: { agents: Home['agents'] }) {
  return (
    <SectionCard
      title="Agents needing attention"
      flush
      actions={
        paused > 0 ? (
          <CardLink href="/agents?status=paused">{`${cappedCount(paused)} paused`}</CardLink>
        ) : (
          <CardLink href="/agents">All agents</CardLink>
        )
      }
    >
      <ul>
        {shown.map((agent) => (
          <li key={agent.id} className="border-b border-separator last:border-b-0">
            <Link href={agentHref(agent)} prefetch={false} className="block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium" title={agent.name}>
                  {agent.name}
                </span>
                {agent.failures > 0 && <StatusBadge tone="danger">{agent.failures === 1 ? 'Error' : 'Errors'}</StatusBadge>}
                {agent.hasNoMail && <StatusBadge tone="danger">No email</StatusBadge>}
                {agent.status === 'paused' && <StatusBadge tone="warning">Paused</StatusBadge>}
              </span>
              <span className="mt-0.5 block truncate text-label text-muted">
                {agent.lastFailedAt !== null ? (
                  <Failures agent={agent} lastFailedAt={agent.lastFailedAt} />
                ) : agent.hasNoMail ? (
                  'Can’t receive or send email'
                ) : (
                  'Not taking new work'
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

function Failures({ agent, lastFailedAt }: { agent: Home['agents']['shown'][number]; lastFailedAt: string }) {
  return (
    <>
      {agent.failures === 1 ? '1 error' : `${cappedCount(agent.failures)} errors`} in 3 days · last{' '}
      <RelativeTime value={lastFailedAt} />
    </>
  );
}

/** Posts that are not published yet. */
export function DraftsCard({ drafts: { count, latest } }: { drafts: Home['drafts'] }) {
  const all = count === 1 ? '1 draft' : `${cappedCount(count)} drafts`;
  return (
    <SectionCard title="Drafts" flush actions={<CardLink href="/posts?status=draft">{all}</CardLink>}>
      <ul>
        {latest.map(({ id, title, updatedAt }) => (
          <li key={id} className="border-b border-separator last:border-b-0">
            <Link href={`/posts/${id}`} prefetch={false} className="block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
              <span className="block truncate font-medium" title={title}>
                {title.trim() || 'Untitled'}
              </span>
              <span className="mt-0.5 block text-label text-muted">
                Edited <RelativeTime value={updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

/** The newest customers, each with a link to its page. */
export function NewestCustomers({ customers, total }: { customers: readonly CustomerRecord[]; total: number }) {
  return (
    <SectionCard
      title="New customers"
      flush
      actions={total > customers.length && <CardLink href="/customers">All customers</CardLink>}
    >
      <ul>
        {customers.map((customer) => (
          <li key={customer.id} className="border-b border-separator last:border-b-0">
            <Link
              href={`/customers/${customer.id}`}
              prefetch={false}
              className="flex min-h-11 items-center gap-4 px-5 py-1.5 -outline-offset-2 hover:bg-surface-hover"
            >
              <CustomerName customer={customer} />
              <RelativeTime value={customer.createdAt} className="shrink-0 text-label text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

function CustomerName({ customer }: { customer: CustomerRecord }) {
  const email = primaryContact(customer)?.email;
  const name = customerName(customer);
  return (
    <span className="min-w-0 flex-1 truncate font-medium" title={name === email ? name : `${name}, ${email}`}>
      {name}
    </span>
  );
}

/** A link from a card to the full list. */
export function CardLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-label text-accent-text underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}
