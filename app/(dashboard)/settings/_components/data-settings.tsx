'use client';

import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/app/_kit/button-link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { formatBytes } from '@/app/_kit/format-bytes';
import { QueryResult } from '@/app/_kit/query-result';
import { SectionCard } from '@/app/_kit/section-card';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { DataOverview } from '@/server/features/data/data.schema';
import { kindLabels, recordsLabel, retentionLabel, sizeLabel } from './data-labels';
import { LargestRecords } from './largest-records';

type Row = DataOverview['kinds'][number] & { id: string };

/** What the business has records of, how much space they take, and how long they are kept. */
export function DataSettings() {
  const trpc = useTRPC();
  const locale = useViewerLocale();
  const overview = useQuery(trpc.data.get.queryOptions({}));
  const columns: readonly DataColumn<Row>[] = [
    { header: 'Records', cell: ({ kind }) => kindLabels[kind], phone: 'title' },
    {
      header: 'Number',
      className: 'w-24 text-right',
      cell: ({ records }) => recordsLabel(records, locale),
      phone: 'aside',
    },
    { header: 'Size', className: 'w-28 text-right', cell: (row) => sizeLabel(row, locale), phone: 'line-end' },
    {
      header: 'Kept',
      className: 'w-40 pl-8! text-muted',
      cell: ({ retentionDays }) => retentionLabel(retentionDays, locale),
      phone: 'line',
    },
  ];
  return (
    <>
      <SectionCard
        title="Data"
        description="What this business stores, and how long it’s kept. Your administrator sets the times. Sizes are estimates."
        flush
      >
        <QueryResult query={overview} failure="Couldn’t load your data" loading="Loading your data" lines={14} shape="rows">
          {({ kinds }) => (
            <DataTable label="Data" columns={columns} rows={kinds.map((kind) => ({ ...kind, id: kind.kind }))} isInCard />
          )}
        </QueryResult>
      </SectionCard>
      <SectionCard
        title="Files"
        description="Attachments, original emails and blog images. They go with the records they belong to."
        actions={
          <ButtonLink href="/usage" size="sm">
            View usage
          </ButtonLink>
        }
      >
        <QueryResult query={overview} failure="Couldn’t load your files" loading="Loading your files" lines={1}>
          {({ files: { current, limit } }) => (
            <p>
              {formatBytes(current, locale)}
              {limit >= 0 && <span className="text-muted"> of {formatBytes(limit, locale)}</span>}
            </p>
          )}
        </QueryResult>
      </SectionCard>
      <LargestRecords />
    </>
  );
}
