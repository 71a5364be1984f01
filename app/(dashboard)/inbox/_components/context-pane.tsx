import { useQuery } from '@tanstack/react-query';
import { Phone, UserPlus } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import { ButtonLink } from '@/app/_kit/button-link';
import { CopyButton } from '@/app/_kit/copy-button';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import { statusLabels as agentStatusLabels, outcomeTones } from '@/app/(dashboard)/agents/_components/agent-labels';
import type { ConversationDetail, ParticipantRecord } from '@/server/features/conversations/conversation.schema';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { AgentAvatar } from '../../agents/_components/agent-avatar';
import { customerName } from '../../customers/_components/customer-name';
import { newCustomerQuery } from '../../customers/search-params';
import { nameOf, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';

interface ContextPaneProps {
  conversation: ConversationDetail;
  /** Inside a dialog, which has its own heading and padding. */
  isInDialog?: boolean;
}

/** Details of a conversation: the person, the customer, other participants, the agents, and earlier conversations. */
export function ContextPane({ conversation, isInDialog = false }: ContextPaneProps) {
  const { counterpart, participants, assignedAgents, linkedTasks } = conversation;
  const name = nameOf(counterpart);
  const email = counterpart.email.toLowerCase();
  const participant = participants.find((candidate) => candidate.email === email);
  const others = participants.filter((candidate) => candidate.email !== email && !candidate.isSelf);
  return (
    <div className={`flex flex-col gap-6 ${isInDialog ? '' : 'p-5'}`}>
      <section aria-label="Person" className="flex items-center gap-3">
        <PersonAvatar name={name} size="md" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-sm font-semibold" title={name}>
            {name}
          </h2>
          {counterpart.email !== '' && (
            <p className="flex min-w-0 items-center gap-1 text-label text-muted">
              <span className="truncate" title={counterpart.email}>
                {counterpart.email}
              </span>
              <CopyButton size="sm" value={counterpart.email} label="Copy email" />
            </p>
          )}
        </div>
      </section>
      <CustomerSection counterpart={counterpart} customerId={participant?.customerId ?? null} />
      {assignedAgents.length > 0 && (
        <ContextSection title="Agents">
          <ul className="flex flex-col gap-2">
            {assignedAgents.map((agent) => {
              const status = agentStatusLabels[agent.status];
              return (
                <li key={agent.id}>
                  <Link
                    href={`/agents/${agent.id}`}
                    className="-mx-2 flex items-center gap-3 rounded-md px-2 py-1 hover:bg-surface-hover"
                  >
                    <AgentAvatar
                      name={agent.name}
                      url={agent.avatarUrl}
                      emoji={agent.avatarEmoji}
                      isDimmed={agent.status === 'archived'}
                    />
                    <span className="min-w-0 flex-1 truncate" title={agent.name}>
                      {agent.name}
                    </span>
                    <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
                  </Link>
                </li>
              );
            })}
          </ul>
        </ContextSection>
      )}
      {linkedTasks.length > 0 && <Tasks tasks={linkedTasks} />}
      {others.length > 0 && <OtherParticipants others={others} />}
      {counterpart.email !== '' && <EarlierThreads email={email} conversationId={conversation.id} />}
    </div>
  );
}

const taskTones: Record<string, StatusTone> = outcomeTones;

function Tasks({ tasks }: { tasks: ConversationDetail['linkedTasks'] }) {
  return (
    <ContextSection title="Tasks">
      <ul className="flex flex-col gap-2">
        {tasks.map(({ id, title, status, dueAt }) => (
          <li key={id} className="flex items-center gap-2 text-label">
            <span className="min-w-0 flex-1 truncate" title={title}>
              {title}
            </span>
            {dueAt && <RelativeTime value={dueAt} className="text-xs text-muted" />}
            <StatusBadge tone={taskTones[status] ?? 'neutral'}>{status}</StatusBadge>
          </li>
        ))}
      </ul>
    </ContextSection>
  );
}

/** How many of the other participants are listed; the rest is a number. */
const othersMaximum = 8;

function OtherParticipants({ others }: { others: readonly ParticipantRecord[] }) {
  const hidden = others.length - othersMaximum;
  return (
    <ContextSection title="Other participants">
      <ul className="flex flex-col gap-2">
        {others.slice(0, othersMaximum).map((other) => {
          const name = nameOf(other);
          return (
            <li key={other.email} className="flex min-w-0 items-center gap-2 text-label">
              <PersonAvatar name={name} />
              <span className="min-w-0">
                {other.customerId ? (
                  <Link
                    href={`/customers/${other.customerId}`}
                    title={name}
                    className="block truncate underline-offset-2 hover:underline"
                  >
                    {name}
                  </Link>
                ) : (
                  <span className="block truncate" title={name}>
                    {name}
                  </span>
                )}
                {name !== other.email && (
                  <span className="block truncate text-xs text-muted" title={other.email}>
                    {other.email}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {hidden > 0 && <p className="mt-2 text-label text-muted">and {hidden} more</p>}
    </ContextSection>
  );
}

interface CustomerSectionProps {
  counterpart: MailAddressRecord;
  /** Null for a person who is not a customer. */
  customerId: string | null;
}

/** The customer that a person belongs to, or a way to create one. */
function CustomerSection({ counterpart, customerId }: CustomerSectionProps) {
  const trpc = useTRPC();
  const { data, isError, refetch } = useQuery(
    trpc.customers.get.queryOptions({ id: customerId ?? '' }, { enabled: customerId !== null }),
  );
  if (customerId === null) {
    if (counterpart.email === '') return null;
    const { email, displayName } = counterpart;
    return (
      <ContextSection title="Customer">
        <p className="mb-2.5 text-label text-muted">Not in Customers</p>
        <ButtonLink
          size="sm"
          needs="customers:write"
          href={`/customers/new${newCustomerQuery({ email, name: displayName ?? '' })}`}
        >
          <UserPlus aria-hidden />
          Add as customer
        </ButtonLink>
      </ContextSection>
    );
  }
  return (
    <ContextSection title="Customer">
      {data ? (
        <CustomerCard customer={data} />
      ) : isError ? (
        <p className="text-label text-muted">
          Couldn’t load the customer.{' '}
          <button type="button" onClick={() => void refetch()} className="text-accent-text underline-offset-2 hover:underline">
            Try again
          </button>
        </p>
      ) : (
        <SkeletonLines shape="text" lines={3} label="Loading the customer" />
      )}
    </ContextSection>
  );
}

function CustomerCard({ customer }: { customer: CustomerRecord }) {
  const name = customerName(customer);
  return (
    <div className="relative rounded-lg border border-border bg-surface p-3 hover:bg-surface-hover">
      <Link
        href={`/customers/${customer.id}`}
        title={name}
        className="block truncate font-medium after:absolute after:inset-0 after:rounded-lg"
      >
        {name}
      </Link>
      {customer.phone !== '' && (
        <p className="mt-1 flex items-center gap-1.5 text-label text-muted">
          <Phone aria-hidden className="size-3.5" />
          <a
            href={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}
            className="relative truncate hover:text-foreground hover:underline"
          >
            {customer.phone}
          </a>
        </p>
      )}
      {customer.notes !== '' && <p className="mt-1.5 line-clamp-3 text-label wrap-anywhere text-muted">{customer.notes}</p>}
      {customer.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-2 flex flex-wrap gap-1">
          {customer.tags.map((tag) => (
            <li key={tag} title={tag} className="max-w-full truncate rounded-md bg-default px-1.5 text-xs leading-5">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const shownThreads = 5;

/** A rough check: the schema's rule would add zod to every thread, and the server refuses the rest. */
const looksLikeAddress = /^[^\s@<>]+@[^\s@<>]+$/;

interface EarlierThreadsProps {
  email: string;
  /** The open conversation, which is left out. */
  conversationId: string;
}

/** Earlier conversations with a person, latest first; none for a sender without a valid address. */
function EarlierThreads({ email, conversationId }: EarlierThreadsProps) {
  const trpc = useTRPC();
  const { hrefOf } = useInbox();
  const { data } = useQuery(
    trpc.conversations.list.queryOptions(
      { participant: email, isArchived: true, limit: shownThreads + 1 },
      { enabled: looksLikeAddress.test(email) },
    ),
  );
  const threads = data?.conversations.filter(({ id }) => id !== conversationId).slice(0, shownThreads) ?? [];
  if (threads.length === 0) return null;
  return (
    <ContextSection title="Other conversations">
      <ul className="flex flex-col">
        {threads.map((thread) => (
          <li key={thread.id}>
            <Link
              href={hrefOf(thread.id)}
              prefetch={false}
              className="-mx-2 flex items-baseline gap-2 rounded-md px-2 py-1.5 text-label hover:bg-surface-hover"
            >
              <span className="min-w-0 flex-1 truncate" title={subjectOf(thread.subject)}>
                {subjectOf(thread.subject)}
              </span>
              <RelativeTime value={thread.lastMessageAt} className="shrink-0 text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </ContextSection>
  );
}

function ContextSection({ title, children }: { title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 text-xs font-medium text-muted">
        {title}
      </h2>
      {children}
    </section>
  );
}
