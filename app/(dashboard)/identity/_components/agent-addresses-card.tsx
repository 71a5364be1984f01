import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { QueryResult } from '@/app/_kit/query-result';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentMail } from '@/server/features/own-addresses/agent-mail.schema';
import { mailProblemTexts } from '../../agents/_components/mail-problems';
import { DomainProof } from './address-proof';

/** Where the agents have their addresses, which bring no email, and how to move them to another domain. */
export function AgentAddressesCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.agentMail.agents.queryOptions({}));
  const addresses = useQuery(trpc.identity.addresses.queryOptions({}));
  const { own, ownDomain } = addresses.data ?? {};
  return (
    <div id="agent-addresses" className="scroll-mt-20">
      <SectionCard title="Agent addresses" description="Agents keep their addresses when the primary address changes." flush>
        <QueryResult
          query={query}
          failure="Couldn’t load agent addresses"
          loading="Loading agent addresses"
          lines={2}
          shape="rows"
        >
          {(mail) => (
            <>
              {mail.withoutMail.length > 0 && <AgentsWithoutMail agents={mail.withoutMail} />}
              <Domains mail={mail} />
            </>
          )}
        </QueryResult>
        {own && ownDomain && (
          <div className="border-t border-separator px-5 py-4">
            <DomainProof address={own} domain={ownDomain} />
          </div>
        )}
      </SectionCard>
    </div>
  );
}

const agentsText = (count: number) => (count === 1 ? '1 agent' : `${count} agents`);

/** The domains in use, and a button for each that agents can move to. */
function Domains({ mail: { domains, available } }: { mail: AgentMail }) {
  const [target, setTarget] = useState<string | null>(null);
  const total = domains.reduce((sum, { agents }) => sum + agents, 0);
  const targets = available.filter((domain) => domains.find((used) => used.domain === domain)?.agents !== total);
  return (
    <div className="px-5 py-4">
      {domains.length === 0 && <p className="text-label text-muted">No agents yet.</p>}
      <ul aria-label="Domains of agents" className="flex flex-col gap-1">
        {domains.map(({ domain, agents }) => (
          <li key={domain} className="flex justify-between gap-3">
            <span className="truncate" title={domain}>
              @{domain}
            </span>
            <span className="shrink-0 text-label text-muted">{agentsText(agents)}</span>
          </li>
        ))}
      </ul>
      {total > 0 && targets.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-2">
          {targets.map((domain) => (
            <Button key={domain} size="sm" variant="secondary" needs="agents:write" onPress={() => setTarget(domain)}>
              <span className="truncate">Move agents to @{domain}</span>
            </Button>
          ))}
        </div>
      )}
      <MoveDialog domain={target} onClose={() => setTarget(null)} />
    </div>
  );
}

function MoveDialog({ domain, onClose }: { domain: string | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const move = useMutation(
    trpc.agentMail.moveAgents.mutationOptions({
      onSuccess: ({ moved, kept }) => {
        onClose();
        const names = kept.map(({ email }) => email).join(', ');
        if (kept.length > 0)
          toast(`${agentsText(moved)} moved`, { description: `Kept, since the new address is in use: ${names}` });
        else toast(`${agentsText(moved)} moved`);
      },
      onError: (error) => toast.failure('Couldn’t move the agents.', error),
      onSettled: () => {
        void queryClient.invalidateQueries(trpc.agents.pathFilter());
        return queryClient.invalidateQueries(trpc.agentMail.pathFilter());
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen={domain !== null}
      onOpenChange={onClose}
      title={`Move agents to @${domain ?? ''}?`}
      description={`Each agent gets an address at @${domain ?? ''}. Earlier addresses still receive email until you remove them.`}
      confirmLabel="Move agents"
      isPending={move.isPending}
      onConfirm={() => domain !== null && move.mutate({ domain })}
    />
  );
}

function AgentsWithoutMail({ agents }: { agents: AgentMail['withoutMail'] }) {
  return (
    <div className="border-b border-separator px-5 py-4">
      <h3 className="text-label font-medium">Agents without email</h3>
      <p className="text-label text-muted">These agents can’t receive or send email.</p>
      <ul className="mt-2 flex flex-col gap-2">
        {agents.map(({ id, email, name, problem }) => (
          <li key={id} className="text-label">
            <p className="truncate font-mono text-xs" title={email}>
              {email}
            </p>
            <p className="text-muted">
              {name}: {mailProblemTexts[problem]}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
