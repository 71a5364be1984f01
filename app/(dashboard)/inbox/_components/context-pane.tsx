'use client';

import Link from 'next/link';
import { CopyButton } from '@/app/_kit/copy-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import { statusLabels as agentStatusLabels, outcomeTones } from '@/app/(dashboard)/agents/_components/agent-labels';
import type { ConversationDetail, ParticipantRecord } from '@/server/features/conversations/conversation.schema';
import { AgentAvatar } from '../../agents/_components/agent-avatar';
import { ContextSection } from './context-section';
import { nameOf } from './conversation-words';
import { CustomerSection } from './customer-section';
import { EarlierThreads } from './earlier-threads';
import { PersonAvatar } from './person-avatar';

interface ContextPaneProps {
  conversation: ConversationDetail;
  /** A dialog brings a heading and padding of its own. */
  isInDialog?: boolean;
}

/** Whom a conversation is with: the person, the customer, who else takes part, the agents, and what was written before. */
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

/** How many of the others are listed; the rest is a number. */
const listedOthers = 8;

function OtherParticipants({ others }: { others: readonly ParticipantRecord[] }) {
  const hidden = others.length - listedOthers;
  return (
    <ContextSection title="Also in this conversation">
      <ul className="flex flex-col gap-2">
        {others.slice(0, listedOthers).map((other) => {
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
