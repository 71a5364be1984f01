'use client';

import { useQuery } from '@tanstack/react-query';
import { MailX } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { agentAddressesHref, mailProblemTexts } from './mail-problems';

/** Says how many agents have no email, above a page; nothing if all have. */
export function AgentMailNotice() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agentMail.agents.queryOptions({}));
  const count = data?.withoutMail.length ?? 0;
  if (count === 0) return null;
  return <Notice>{count === 1 ? '1 agent' : `${count} agents`} can’t receive or send email.</Notice>;
}

/** Says why an agent has no email; nothing if it has. */
export function AgentMailProblem({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agentMail.agentAddresses.queryOptions({ agentId }));
  if (!data?.problem) return null;
  return <Notice>This agent can’t receive or send email. {mailProblemTexts[data.problem]}</Notice>;
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <MailX aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
      <Link href={agentAddressesHref} className="font-medium underline underline-offset-2">
        Review agent addresses
      </Link>
    </p>
  );
}
