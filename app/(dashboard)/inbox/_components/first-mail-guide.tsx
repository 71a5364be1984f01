import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { CopyButton } from '@/app/_kit/copy-button';
import { ErrorState } from '@/app/_kit/error-state';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { MailSetup } from '@/server/features/mail/mail.schema';
import { httpCommand, smtpCommand } from './first-mail-commands';

/** How to send the first mail: the address and the command. */
export function FirstMailGuide() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.mail.setup.queryOptions({}));
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load addresses" />;
  }
  return (
    <SectionCard title="No emails yet" description="Emails to these addresses appear here.">
      {data ? <FirstMailCommands setup={data} /> : <SkeletonLines shape="text" lines={6} label="Loading the addresses" />}
    </SectionCard>
  );
}

function FirstMailCommands({ setup }: { setup: MailSetup }) {
  const { mailboxes } = setup;
  // The commands are for addresses that this server itself receives at.
  const addresses = [...new Set([...mailboxes, ...setup.addresses])];
  const [address] = setup.addresses;
  return (
    <div className="flex flex-col gap-5">
      {addresses.length === 0 ? (
        <p className="text-muted">
          This business has no email address yet. <MailboxLink>Connect a mailbox</MailboxLink>, add an address in the business
          profile, or add an agent.
        </p>
      ) : (
        <>
          <ul aria-label="Addresses" className="flex flex-wrap gap-2">
            {addresses.map((item) => (
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
          {mailboxes.length > 0 ? (
            <p className="text-label text-muted">
              Email in a <MailboxLink>connected mailbox</MailboxLink> appears here as soon as it arrives there.
            </p>
          ) : (
            address !== undefined && <Commands setup={setup} address={address} />
          )}
        </>
      )}
    </div>
  );
}

function Commands({ setup, address }: { setup: MailSetup; address: string }) {
  const origin = useOrigin();
  const { smtpPort, acceptsHttp } = setup;
  if (smtpPort === null && !acceptsHttp) return <InboundNotConfigured />;
  // The address at which the viewer reaches the installation is only known after hydration.
  if (origin === '') return <SkeletonLines shape="text" lines={2} label="Loading the command" />;
  const host = new URL(origin).hostname;
  return (
    <div className="flex flex-col gap-4">
      {smtpPort !== null && (
        <CodeLine
          label="For developers: send a test email from a terminal"
          value={smtpCommand({ host, port: smtpPort, address })}
          copyLabel="Copy command"
        />
      )}
      {acceptsHttp && (
        <CodeLine
          label={smtpPort === null ? 'For developers: send a test email over HTTP, with INBOUND_SECRET' : 'Or over HTTP'}
          value={httpCommand({ origin, address })}
          copyLabel={smtpPort === null ? 'Copy command' : 'Copy HTTP command'}
        />
      )}
      <p className="text-label text-muted">It appears here within seconds.</p>
    </div>
  );
}

function MailboxLink({ children }: { children: string }) {
  return (
    <Link href="/settings/mailboxes" className="underline underline-offset-2">
      {children}
    </Link>
  );
}

/** Shown if no mail can come in: what enables it. */
function InboundNotConfigured() {
  return (
    <div className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <p>
        Incoming email isn’t set up. <MailboxLink>Connect the mailbox you have</MailboxLink>, or ask your administrator to set one
        of these and restart the server:
      </p>
      <ul className="mt-1 list-disc pl-5">
        <li>
          <code className="font-mono text-label">INBOUND_SMTP_PORT</code>, the port that other mail servers deliver to.
        </li>
        <li>
          <code className="font-mono text-label">INBOUND_SECRET</code>, for a mail provider that forwards messages over HTTP.
        </li>
      </ul>
    </div>
  );
}
