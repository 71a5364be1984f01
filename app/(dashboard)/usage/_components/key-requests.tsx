'use client';

import Link from 'next/link';
import { LocalNumber } from '@/app/_components/local-number';
import { RelativeTime } from '@/app/_components/relative-time';
import { SectionCard } from '@/app/_components/section-card';
import { StatusBadge } from '@/app/_components/status-badge';
import type { UsageOverview } from '@/server/modules/usage/usage.schema';
import { shareOf } from './figures';
import { ShareBar } from './share-bar';
import { type DailyState, dailyState } from './shares';

type KeyRow = UsageOverview['keys'][number];

/** What each key that works has made of its requests today. */
export function KeyRequests({ keys, plan }: { keys: readonly KeyRow[]; plan: string }) {
  return (
    <SectionCard
      title="Requests of API keys today"
      description={<DailyTerms limit={keys[0]?.dailyLimit} plan={plan} />}
      flush
      actions={
        <Link href="/api-keys" className="text-label text-accent-text underline-offset-2 hover:underline">
          Manage keys
        </Link>
      }
    >
      {keys.length === 0 ? (
        <p className="px-5 py-4 text-muted">No key works at the moment.</p>
      ) : (
        <table className="w-full table-fixed text-left text-label">
          <caption className="sr-only">Requests of each API key today</caption>
          <thead className="border-b border-separator text-muted">
            <tr>
              <th scope="col" className="h-9 pr-2 pl-5 font-medium">
                Name
              </th>
              <th scope="col" className="hidden px-2 font-medium md:table-cell">
                Key
              </th>
              <th scope="col" className="px-2 font-medium max-sm:pr-5">
                Requests today
              </th>
              <th scope="col" className="hidden w-36 pr-5 pl-2 font-medium sm:table-cell">
                Last used
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id} className="border-b border-separator last:border-b-0">
                <th scope="row" className="h-12 py-1.5 pr-2 pl-5 font-normal">
                  <span className="block truncate font-medium" title={key.name}>
                    {key.name}
                  </span>
                  <span className="block md:hidden">
                    <MaskedKey apiKey={key} />
                  </span>
                  <span className="block text-muted sm:hidden">
                    <LastUsed at={key.lastUsedAt} />
                  </span>
                </th>
                <td className="hidden px-2 md:table-cell">
                  <MaskedKey apiKey={key} />
                </td>
                <td className="px-2 max-sm:pr-5">
                  <Requests apiKey={key} />
                </td>
                <td className="hidden pr-5 pl-2 text-muted sm:table-cell">
                  <LastUsed at={key.lastUsedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SectionCard>
  );
}

/** What the plan includes a day; unknown while there is no key to have it. */
function DailyTerms({ limit, plan }: { limit: number | null | undefined; plan: string }) {
  if (limit === undefined) return 'Each key that works, against what the plan includes a UTC day.';
  if (limit === null) return `The ${plan} plan sets no daily limit, so requests are not counted.`;
  return (
    <>
      The {plan} plan includes <LocalNumber value={limit} /> requests a key and UTC day. Counting starts again at 00:00 UTC.
    </>
  );
}

const tones = { fine: 'accent', nearly: 'warning', reached: 'danger' } as const satisfies Record<DailyState, string>;

function Requests({ apiKey: { requestsToday, dailyLimit } }: { apiKey: KeyRow }) {
  if (requestsToday === null || dailyLimit === null) return <span className="text-muted">Unlimited</span>;
  const state = dailyState(requestsToday, dailyLimit);
  return (
    <div className="max-w-56">
      <div className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span>
          <LocalNumber value={requestsToday} /> of <LocalNumber value={dailyLimit} />
        </span>
        {state === 'reached' && <StatusBadge tone="danger">Used up</StatusBadge>}
        {state === 'nearly' && <StatusBadge tone="warning">Nearly used up</StatusBadge>}
      </div>
      <ShareBar percent={shareOf(requestsToday, dailyLimit)} tone={tones[state]} />
    </div>
  );
}

function MaskedKey({ apiKey: { prefix, last4 } }: { apiKey: KeyRow }) {
  return (
    <span className="block truncate font-mono text-xs text-muted">
      {prefix}…{last4}
    </span>
  );
}

function LastUsed({ at }: { at: string | null }) {
  return at === null ? 'Never used' : <RelativeTime value={at} />;
}
