import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/app/_kit/button-link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { formatBytes } from '@/app/_kit/format-bytes';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { LargestRecords as Largest } from '@/server/features/conversations/storage.schema';

type Sender = Largest['senders'][number] & { id: string };
type Attachment = Largest['attachments'][number];

/** What takes most of the storage, with links to where it can be deleted. */
export function LargestRecords() {
  const trpc = useTRPC();
  const locale = useViewerLocale();
  const largest = useQuery(trpc.data.largest.queryOptions({}));
  const size = (bytes: number) => formatBytes(bytes, locale);
  const senders: readonly DataColumn<Sender>[] = [
    { header: 'Conversations with', cell: ({ email, displayName }) => displayName || email, phone: 'title' },
    { header: 'Address', className: 'text-muted', cell: ({ email }) => email, phone: 'line' },
    {
      header: 'Number',
      className: 'w-24 text-right',
      cell: ({ conversations }) => conversations.toLocaleString(locale),
      phone: 'hidden',
    },
    { header: 'Size', className: 'w-28 text-right', cell: ({ bytes }) => size(bytes), phone: 'aside' },
  ];
  const attachments: readonly DataColumn<Attachment>[] = [
    { header: 'Attachment', cell: ({ filename }) => filename, phone: 'title' },
    { header: 'From', className: 'text-muted', cell: ({ fromEmail }) => fromEmail, phone: 'line' },
    {
      header: 'Date',
      className: 'w-24 text-right text-muted',
      cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
      phone: 'hidden',
    },
    { header: 'Size', className: 'w-28 text-right', cell: ({ size: bytes }) => size(bytes), phone: 'aside' },
  ];
  return (
    <SectionCard
      title="What takes the space"
      description="The largest in the inbox. Deleting them permanently frees their storage at once; so does emptying the trash."
      actions={
        largest.data &&
        largest.data.trashBytes > 0 && (
          <ButtonLink href="/inbox?view=trash" size="sm">
            Trash: {size(largest.data.trashBytes)}
          </ButtonLink>
        )
      }
      flush
    >
      <QueryResult query={largest} failure="Couldn’t load what takes the space" loading="Loading sizes" lines={6} shape="rows">
        {(data) =>
          data.senders.length + data.attachments.length === 0 ? (
            <p className="px-5 py-4 text-muted">The inbox is empty.</p>
          ) : (
            <>
              <DataTable
                label="Largest senders"
                columns={senders}
                rows={data.senders.map((sender) => ({ ...sender, id: sender.email }))}
                rowHref={({ email }) => `/inbox?q=${encodeURIComponent(email)}`}
                isInCard
              />
              {data.attachments.length > 0 && (
                <div className="border-t border-separator">
                  <DataTable
                    label="Largest attachments"
                    columns={attachments}
                    rows={data.attachments}
                    rowHref={({ conversationId }) => `/inbox/${conversationId}`}
                    isInCard
                  />
                </div>
              )}
            </>
          )
        }
      </QueryResult>
    </SectionCard>
  );
}
