'use client';

import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { AgentRecord } from '@/server/features/agents/agent.schema';
import { AgentAvatar } from './agent-avatar';
import { kindLabel } from './agent-kinds';
import { loadOf, statusWords } from './agent-words';

/** One column on a phone, as many as fit elsewhere. */
export const galleryGrid = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3';

/** An agent in the gallery: who it is, where its mail arrives, and what it has to do. The whole card opens it. */
export function AgentCard({ agent }: { agent: AgentRecord }) {
  const locale = useViewerLocale();
  const isArchived = agent.status === 'archived';
  const status = statusWords[agent.status];
  const domain = agent.email.slice(agent.roleId.length);
  return (
    <article
      className={`relative flex h-full flex-col rounded-lg border border-border hover:border-border-secondary has-focus-visible:outline-2 has-focus-visible:outline-focus ${
        isArchived ? 'bg-background-secondary' : 'bg-surface hover:bg-surface-hover'
      }`}
    >
      <div className="flex items-start gap-3 p-4 pb-3">
        <AgentAvatar name={agent.name} url={agent.avatarUrl} emoji={agent.avatarEmoji} isDimmed={isArchived} />
        <div className="min-w-0 flex-1">
          <div className="flex items-start justify-between gap-2">
            <h2 className="truncate font-semibold" title={agent.name}>
              <Link
                href={`/agents/${agent.id}`}
                prefetch={false}
                className={`after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none ${isArchived ? 'text-muted' : ''}`}
              >
                {agent.name}
              </Link>
            </h2>
            <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
          </div>
          <p className="truncate text-label text-muted" title={agent.email}>
            <span className={isArchived ? '' : 'text-foreground'}>{agent.roleId}</span>
            {domain}
          </p>
        </div>
      </div>
      <p className="truncate px-4 pb-3 text-label text-muted" title={agent.kind}>
        <span className="sr-only">Kind: </span>
        <span className="inline-block first-letter:uppercase">{kindLabel(agent.kind)}</span>
      </p>
      <div className="mt-auto flex items-center justify-between gap-3 border-t border-separator px-4 py-2.5 text-label text-muted">
        <span className={`truncate ${agent.activeTasks > 0 ? 'text-foreground' : ''}`}>
          {loadOf(agent.activeTasks, agent.activeTasks.toLocaleString(locale))}
        </span>
        <span className="shrink-0">
          {agent.lastActiveAt === null ? (
            'Never active'
          ) : (
            <>
              Last active <RelativeTime value={agent.lastActiveAt} />
            </>
          )}
        </span>
      </div>
    </article>
  );
}
