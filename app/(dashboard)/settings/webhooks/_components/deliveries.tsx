import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { keysOf } from '@/app/_kit/keys-of';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { Pagination } from '@/app/_kit/pagination';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { Segments } from '@/app/_kit/segments';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import { typeLabel } from '../../events/_components/event-labels';
import {
  deliveriesInput,
  deliveriesPerPage,
  deliverySearchParams,
  deliverySearchQuery,
  openDelivery,
  pageOf,
} from '../search-params';
import { attemptsLabel, deliveryLabel, deliveryLabels, refreshInterval } from './webhook-labels';
import type { DeliveryRecord } from './webhook-types';

const DeliverySheet = onDemandComponent(() => import('./delivery-sheet').then((file) => file.DeliverySheet));

const segments = [
  { value: null, label: 'All' },
  ...keysOf(deliveryLabels).map((status) => ({ value: status, label: deliveryLabels[status].label })),
];

const columns: readonly DataColumn<DeliveryRecord>[] = [
  {
    header: 'Event',
    phone: 'title',
    cell: ({ eventType, isTest }) => (
      <>
        {typeLabel(eventType)}
        {isTest && <span className="ml-2 font-normal text-muted">Test</span>}
      </>
    ),
  },
  {
    header: 'Attempts',
    phone: 'line',
    className: 'text-muted md:w-[34%]',
    cell: ({ attemptCount, status, nextAttemptAt }) => (
      <>
        {attemptsLabel(attemptCount)}
        {status === 'pending' && attemptCount > 0 && nextAttemptAt !== null && (
          <>
            , next <RelativeTime value={nextAttemptAt} />
          </>
        )}
      </>
    ),
  },
  {
    header: 'Time',
    phone: 'line-end',
    className: 'text-muted md:w-28',
    cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
  },
  {
    header: 'Status',
    phone: 'aside',
    className: 'md:w-26',
    cell: (delivery) => {
      const { tone, label } = deliveryLabel(delivery);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
];

/** The deliveries of a webhook, newest first, with their filter, page and open record in the address. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const [search, setSearch] = useQueryStates(deliverySearchParams, { history: 'push' });
  const input = deliveriesInput(webhookId, search);
  const { data, error, isPlaceholderData, refetch } = useQuery(
    trpc.webhooks.deliveries.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => refreshInterval(state.data?.deliveries, Date.now()),
    }),
  );
  const open = openDelivery(search);
  const path = `/settings/webhooks/${webhookId}`;
  const hrefOf = useMemo(() => (delivery: string) => `${path}${deliverySearchQuery({ ...search, delivery })}`, [path, search]);
  return (
    <SectionCard
      title="Deliveries"
      description="Kept for 30 days. Failed attempts are repeated with growing pauses."
      actions={
        <Segments
          label="Status"
          size="sm"
          segments={segments}
          value={search.status}
          onChange={(status) => void setSearch({ status, page: null })}
        />
      }
      flush
    >
      <ListBody
        what="deliveries"
        error={data ? null : error}
        onRetry={() => void refetch()}
        isLoaded={data !== undefined}
        isEmpty={data?.deliveries.length === 0}
        empty={
          <EmptyState
            icon={Inbox}
            title={search.status ? 'No such deliveries' : 'Nothing delivered yet'}
            description={search.status ? 'Choose another status.' : 'Send a test to see whether your receiver works.'}
          />
        }
        lines={4}
      >
        <DataTable
          label="Deliveries"
          columns={columns}
          rows={data?.deliveries ?? []}
          rowHref={({ id }) => hrefOf(id)}
          onOpen={({ id }) => void setSearch({ delivery: id })}
          isStale={isPlaceholderData}
          isInCard
        />
        {data && (
          <div className="flex justify-center py-2 empty:hidden">
            <Pagination
              label="deliveries"
              page={pageOf(search)}
              pageSize={deliveriesPerPage}
              total={data.total}
              totalIsExact={data.totalIsExact}
              hasMore={data.hasMore}
              hrefFor={(page) => `${path}${deliverySearchQuery({ status: search.status, page })}`}
              onPageChange={(page) => void setSearch({ page }, { scroll: false })}
            />
          </div>
        )}
      </ListBody>
      {open && <DeliverySheet webhookId={webhookId} deliveryId={open} onClose={() => void setSearch({ delivery: null })} />}
    </SectionCard>
  );
}
