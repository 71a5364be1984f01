'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, Tag } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import { labelsMaximum } from '@/server/features/conversations/label.limits';
import type { Label } from '@/server/features/conversations/label.schema';
import { LabelDot } from '../../../_components/label-dot';

const LabelDialog = onDemandComponent(() => import('./label-dialog').then((file) => file.LabelDialog));

const columns: readonly DataColumn<Label>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: ({ name, color }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <LabelDot color={color} />
        <span className="truncate">{name}</span>
      </span>
    ),
  },
];

/** In the address, instead of an id: the dialog of a new label. */
const addressOfNew = 'new';

/** What the business sorts its conversations by. */
export function Labels() {
  const trpc = useTRPC();
  const list = useQuery(trpc.labels.list.queryOptions({}));
  const [open, setOpen] = useQueryState('label', parseAsString.withOptions({ history: 'push' }));
  const { isAllowed } = usePermission('conversations:write');
  const labels = list.data?.labels;
  const opened = labels?.find(({ id }) => id === open) ?? null;
  const create = (
    <Button
      variant="primary"
      size={labels?.length ? 'sm' : 'md'}
      needs="conversations:write"
      isDisabled={(labels?.length ?? 0) >= labelsMaximum}
      onPress={() => void setOpen(addressOfNew)}
    >
      <Plus aria-hidden />
      New label
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Labels"
        description="What your team sorts conversations by. Add them to conversations in the inbox, and filter by them."
        actions={labels && labels.length > 0 && create}
        flush
      >
        <ListBody
          what="labels"
          error={labels ? null : list.error}
          onRetry={() => void list.refetch()}
          isLoaded={labels !== undefined}
          isEmpty={labels?.length === 0}
          empty={
            <EmptyState
              icon={Tag}
              title="No labels yet"
              description="Create one for a subject, such as orders or repairs."
              action={create}
            />
          }
          lines={4}
        >
          <DataTable
            label="Labels"
            columns={columns}
            rows={labels ?? []}
            {...(isAllowed && {
              rowHref: ({ id }: Label) => `/settings/labels?label=${id}`,
              onOpen: ({ id }: Label) => void setOpen(id),
            })}
            isInCard
          />
        </ListBody>
      </SectionCard>
      {isAllowed && (opened || open === addressOfNew) && (
        <LabelDialog key={open} label={opened} onClose={() => void setOpen(null)} />
      )}
    </>
  );
}
