'use client';

import { useQueryStates } from 'nuqs';
import { type OutboxList, outboxStates } from '@/server/modules/mail/mail.schema';
import { outboxSearchParams } from '../search-params';
import { countLabel, stateWords } from './outbox-words';

const choices = [
  { value: null, label: 'All' },
  ...outboxStates.map((state) => ({ value: state, label: stateWords[state].label })),
];

/** Which state is shown, each with its count; lives in the address. */
export function OutboxFilters({ counts }: { counts: OutboxList['counts'] | undefined }) {
  const [search, setSearch] = useQueryStates(outboxSearchParams, { history: 'push' });
  return (
    <fieldset className="flex max-w-full overflow-x-auto rounded-md bg-default p-0.5 [scrollbar-width:none]">
      <legend className="sr-only">State</legend>
      {choices.map(({ value, label }) => {
        const count = value !== null && counts ? counts[value] : 0;
        return (
          <label
            key={label}
            className="relative flex h-8 shrink-0 cursor-pointer items-center gap-1 rounded-sm px-2.5 text-label text-muted has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-sm:h-9"
          >
            <input
              type="radio"
              name="state"
              value={value ?? ''}
              checked={search.state === value}
              onChange={() => void setSearch({ state: value })}
              className="sr-only"
            />
            {label}
            {count > 0 && <span className="text-xs font-normal">{countLabel(count)}</span>}
          </label>
        );
      })}
    </fieldset>
  );
}
