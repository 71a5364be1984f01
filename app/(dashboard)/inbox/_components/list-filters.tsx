import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { keysOf } from '@/app/_kit/keys-of';
import { SearchField } from '@/app/_kit/search-field';
import { useTRPC } from '@/app/_trpc/client';
import { inboxSearchParams, searchMaximum } from '../search-params';
import { assigneeFilters } from './assignee-choices';
import { statusLabels } from './conversation-labels';
import { useAssigneeChoices } from './use-assignee-choices';
import { useLabels } from './use-labels';

const statuses = keysOf(statusLabels);
const orders = [
  { value: 'newest' as const, label: 'Newest first' },
  { value: 'waiting' as const, label: 'Waiting longest' },
];
const statusChoices = statuses.map((status) => ({ value: status, label: statusLabels[status].label }));

/** Search and filters of the list, stored in the address. */
export function ListFilters() {
  const trpc = useTRPC();
  const [search, setSearch] = useQueryStates(inboxSearchParams);
  const { data } = useQuery(trpc.agents.list.queryOptions({ limit: 100 }));
  const labels = useLabels().map(({ id, name }) => ({ value: id, label: name }));
  const assignees = assigneeFilters(useAssigneeChoices());
  const agents = data?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  // Typing replaces the history entry, so that "back" does not step through every letter; choosing a filter adds one.
  const setQuery = useCallback((q: string) => void setSearch({ q: q || null }), [setSearch]);
  return (
    <div className="flex flex-wrap gap-2">
      <div className="flex basis-full">
        <SearchField
          label="Search conversations"
          hint="Finds words in subjects, texts, names and files. Also: from: to: subject: has:attachment label: before: after: -word “a phrase”. From the inbox, also searches archived conversations and spam."
          maxLength={searchMaximum}
          value={search.q}
          onSearch={setQuery}
          isWide
        />
      </div>
      {search.view !== 'waiting' && (
        <ChoiceFilter
          label="Status"
          anyLabel="Any status"
          choices={statusChoices}
          value={search.status ?? ''}
          onChange={(chosen) =>
            void setSearch({ status: statuses.find((status) => status === chosen) ?? null }, { history: 'push' })
          }
        />
      )}
      <ChoiceFilter
        label="Assignee"
        anyLabel="Any assignee"
        choices={assignees}
        value={search.assignee}
        onChange={(assignee) => void setSearch({ assignee: assignee || null }, { history: 'push' })}
      />
      {(labels.length > 0 || search.label !== '') && (
        <ChoiceFilter
          label="Label"
          anyLabel="Any label"
          choices={labels}
          value={search.label}
          onChange={(label) => void setSearch({ label: label || null }, { history: 'push' })}
        />
      )}
      {(agents.length > 0 || search.agent !== '') && (
        <ChoiceFilter
          label="Agent"
          anyLabel="Any agent"
          choices={agents}
          value={search.agent}
          onChange={(agent) => void setSearch({ agent: agent || null }, { history: 'push' })}
        />
      )}
      <ChoiceFilter
        label="Order"
        anyLabel={search.q ? 'Best match' : 'Newest first'}
        choices={search.q ? orders : orders.slice(1)}
        value={search.sort ?? ''}
        onChange={(chosen) =>
          void setSearch({ sort: orders.find(({ value }) => value === chosen)?.value ?? null }, { history: 'push' })
        }
      />
    </div>
  );
}
