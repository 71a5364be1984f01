'use client';

import { useQueryStates } from 'nuqs';
import { keysOf } from '@/app/_kit/keys-of';
import { Segments } from '@/app/_kit/segments';
import type { OutboxList } from '@/server/features/mail/mail.schema';
import { outboxSearchParams } from '../search-params';
import { countLabel, stateWords } from './outbox-words';

const choices = [
  { value: null, label: 'All' },
  ...keysOf(stateWords).map((state) => ({ value: state, label: stateWords[state].label })),
];

/** Which state is shown, each with its count; lives in the address. */
export function OutboxFilters({ counts }: { counts: OutboxList['counts'] | undefined }) {
  const [search, setSearch] = useQueryStates(outboxSearchParams, { history: 'push' });
  const segments = choices.map(({ value, label }) => {
    const count = value !== null && counts ? counts[value] : 0;
    return { value, label, count: count > 0 ? countLabel(count) : null };
  });
  return <Segments label="State" segments={segments} value={search.state} onChange={(state) => void setSearch({ state })} />;
}
