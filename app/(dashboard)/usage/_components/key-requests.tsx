import Link from 'next/link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { LocalNumber } from '@/app/_kit/local-number';
import { MaskedKey } from '@/app/_kit/masked-key';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { toQuotaView } from './figures';
import { QuotaBadge, QuotaBar } from './share-bar';

type KeyRow = UsageOverview['keys'][number];

const columns: readonly DataColumn<KeyRow>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: (key) => <span title={key.name}>{key.name}</span>,
  },
  {
    header: 'Key',
    phone: 'line',
    className: 'md:w-[24%]',
    cell: (key) => <MaskedKey apiKey={key} />,
  },
  {
    header: 'Requests today',
    phone: 'line-end',
    className: 'md:w-[28%] max-md:min-w-36',
    cell: (key) => <Requests apiKey={key} />,
  },
  {
    header: 'Last used',
    phone: 'aside',
    className: 'text-muted md:w-36',
    cell: (key) => <LastUsed at={key.lastUsedAt} />,
  },
];

/** Today's requests of each working key. */
export function KeyRequests({ keys, plan }: { keys: readonly KeyRow[]; plan: string }) {
  return (
    <SectionCard
      title="API requests today"
      description={<DailyTerms limit={keys[0]?.dailyLimit} plan={plan} />}
      flush
      actions={
        <Link href="/api-keys" className="text-label text-accent-text underline-offset-2 hover:underline">
          Manage keys
        </Link>
      }
    >
      {keys.length === 0 ? (
        <p className="px-5 py-4 text-muted">No active keys.</p>
      ) : (
        <DataTable label="API requests today by key" columns={columns} rows={keys} isInCard />
      )}
    </SectionCard>
  );
}

/** The plan's daily limit; unknown while there is no key. */
function DailyTerms({ limit, plan }: { limit: number | null | undefined; plan: string }) {
  if (limit === undefined) return 'Requests per active key and UTC day.';
  if (limit === null) return `Unlimited on the ${plan} plan, so requests aren’t counted.`;
  return (
    <>
      <LocalNumber value={limit} /> per key per day on the {plan} plan. Resets at 00:00 UTC.
    </>
  );
}

function Requests({ apiKey: { requestsToday, dailyLimit } }: { apiKey: KeyRow }) {
  if (requestsToday === null || dailyLimit === null) return <span className="text-muted">Unlimited</span>;
  const quota = toQuotaView({ current: requestsToday, limit: dailyLimit });
  return (
    <div className="max-w-56">
      <div className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span>
          <LocalNumber value={requestsToday} /> of <LocalNumber value={dailyLimit} />
        </span>
        <QuotaBadge state={quota.state} />
      </div>
      <QuotaBar {...quota} />
    </div>
  );
}

function LastUsed({ at }: { at: string | null }) {
  return at === null ? 'Never used' : <RelativeTime value={at} />;
}
