'use client';

import { useQuery } from '@tanstack/react-query';
import { MessageSquareText, Paperclip, Plus } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import type { Snippet } from '@/server/features/conversations/snippet.schema';
import { snippetPreview, snippetsMaximum } from '@/server/features/conversations/snippet-text';

const SnippetDialog = onDemandComponent(() => import('./snippet-dialog').then((file) => file.SnippetDialog));

const columns: readonly DataColumn<Snippet>[] = [
  { header: 'Name', phone: 'title', className: 'md:w-[30%]', cell: ({ name }) => name },
  {
    header: 'Text',
    phone: 'line',
    className: 'text-muted',
    cell: ({ text }) => <span className="block truncate">{snippetPreview(text)}</span>,
  },
  {
    header: 'Files',
    hidesHeader: true,
    phone: 'aside',
    className: 'text-muted md:w-16 md:text-right',
    cell: ({ attachments: { length } }) =>
      length > 0 && (
        <span className="inline-flex items-center gap-1">
          <Paperclip aria-hidden className="size-3.5" />
          {length}
          <span className="sr-only">{length === 1 ? ' file' : ' files'}</span>
        </span>
      ),
  },
];

/** In the address, instead of an id: the dialog of a new snippet. */
const addressOfNew = 'new';

/** The texts that the business sends again and again. */
export function Snippets() {
  const trpc = useTRPC();
  const list = useQuery(trpc.snippets.list.queryOptions({}));
  const [open, setOpen] = useQueryState('snippet', parseAsString.withOptions({ history: 'push' }));
  const { isAllowed } = usePermission('conversations:write');
  const snippets = list.data?.snippets;
  const opened = snippets?.find(({ id }) => id === open) ?? null;
  const close = () => void setOpen(null);
  const create = (
    <Button
      variant="primary"
      size={snippets?.length ? 'sm' : 'md'}
      needs="conversations:write"
      isDisabled={(snippets?.length ?? 0) >= snippetsMaximum}
      onPress={() => void setOpen(addressOfNew)}
    >
      <Plus aria-hidden />
      New snippet
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Snippets"
        description="Texts for common answers, shared by the team. Insert them while you write an email; variables such as the customer’s name are filled in."
        actions={snippets && snippets.length > 0 && create}
        flush
      >
        <ListBody
          what="snippets"
          error={snippets ? null : list.error}
          onRetry={() => void list.refetch()}
          isLoaded={snippets !== undefined}
          isEmpty={snippets?.length === 0}
          empty={
            <EmptyState
              icon={MessageSquareText}
              title="No snippets yet"
              description="Save an answer that you give often, such as opening hours or directions."
              action={create}
            />
          }
          lines={4}
        >
          <DataTable
            label="Snippets"
            columns={columns}
            rows={snippets ?? []}
            {...(isAllowed && {
              rowHref: ({ id }: Snippet) => `/settings/snippets?snippet=${id}`,
              onOpen: ({ id }: Snippet) => void setOpen(id),
            })}
            isInCard
          />
        </ListBody>
      </SectionCard>
      {isAllowed && (opened || open === addressOfNew) && <SnippetDialog key={open} snippet={opened} onClose={close} />}
    </>
  );
}
