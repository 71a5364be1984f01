'use client';

import { useQuery } from '@tanstack/react-query';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { CopyButton } from '@/app/_kit/copy-button';
import { ErrorState } from '@/app/_kit/error-state';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { MailSetup } from '@/server/features/mail/mail.schema';
import { httpCommand, smtpCommand } from './try-it-commands';

/** How the first mail comes in: where to, and with which command. */
export function TryIt() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.mail.setup.queryOptions({}));
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="The addresses could not be loaded" />;
  }
  return (
    <SectionCard
      title="No mail has come in yet"
      description="Mail to these addresses comes in here, is threaded into conversations, and can be answered."
    >
      {data ? <HowTo setup={data} /> : <SkeletonLines shape="text" lines={6} label="Loading the addresses" />}
    </SectionCard>
  );
}

function HowTo({ setup }: { setup: MailSetup }) {
  const [address] = setup.addresses;
  return (
    <div className="flex flex-col gap-5">
      {address === undefined ? (
        <p className="text-muted">This business has no address yet. Add one on the business profile, or an agent.</p>
      ) : (
        <>
          <ul aria-label="Addresses" className="flex flex-wrap gap-2">
            {setup.addresses.map((item) => (
              <li
                key={item}
                className="inline-flex max-w-full items-center rounded-md border border-border bg-background-secondary pl-2.5"
              >
                <span className="min-w-0 truncate font-mono text-label" title={item}>
                  {item}
                </span>
                <CopyButton value={item} label={`Copy ${item}`} size="sm" />
              </li>
            ))}
          </ul>
          <Commands setup={setup} address={address} />
        </>
      )}
    </div>
  );
}

function Commands({ setup, address }: { setup: MailSetup; address: string }) {
  const origin = useOrigin();
  const { smtpPort, acceptsHttp } = setup;
  if (smtpPort === null && !acceptsHttp) return <NoWayIn />;
  // The viewer's own address of the installation is not known before the browser has taken over.
  if (origin === '') return <SkeletonLines shape="text" lines={2} label="Loading the command" />;
  const host = new URL(origin).hostname;
  return (
    <div className="flex flex-col gap-4">
      {smtpPort !== null && (
        <CodeLine
          label="Send the first mail from a terminal"
          value={smtpCommand({ host, port: smtpPort, address })}
          copyLabel="Copy command"
        />
      )}
      {acceptsHttp && (
        <CodeLine
          label={
            smtpPort === null ? 'Hand the first mail in from a terminal, with the secret of this installation' : 'Or over HTTP'
          }
          value={httpCommand({ origin, address })}
          copyLabel={smtpPort === null ? 'Copy command' : 'Copy HTTP command'}
        />
      )}
      <p className="text-label text-muted">It appears here within seconds; there is no need to reload.</p>
    </div>
  );
}

/** Without a way in, no mail can come: which settings open one. */
function NoWayIn() {
  return (
    <div className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <p>This installation takes no mail in yet. Whoever runs it sets one of these and restarts it:</p>
      <ul className="mt-1 list-disc pl-5">
        <li>
          <code className="font-mono text-label">INBOUND_SMTP_PORT</code>, a port at which mail servers deliver, so that the
          addresses’ domain can point here.
        </li>
        <li>
          <code className="font-mono text-label">INBOUND_SECRET</code>, with which a mail provider hands messages in over HTTP.
        </li>
      </ul>
    </div>
  );
}
