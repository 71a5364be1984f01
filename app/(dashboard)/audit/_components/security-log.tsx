'use client';

import { ShieldCheck } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { EmptyState } from '@/app/_kit/empty-state';
import { securitySearchParams } from '../search-params';
import { LogList } from './log-list';
import { SecurityEventRow } from './security-event-row';
import { securityKindWords } from './security-words';
import { useSecurityLog } from './use-log';
import { useViewersClock } from './use-viewers-clock';

const kinds = Object.entries(securityKindWords)
  // What concerns no account is for the operator alone.
  .filter(([value]) => value !== 'inbound_refused')
  .map(([value, label]) => ({ value, label }));

/** What was refused to or about this account and business, newest first. */
export function SecurityLog() {
  const [search, setSearch] = useQueryStates(securitySearchParams, { history: 'push' });
  const clock = useViewersClock();
  const log = useSecurityLog(search);
  return (
    <LogList
      label="Security events"
      log={log}
      filters={
        <ChoiceFilter
          label="Kind"
          anyLabel="Every kind"
          choices={kinds}
          value={search.kind ?? ''}
          onChange={(value) => void setSearch({ kind: (value || null) as typeof search.kind })}
        />
      }
      empty={<NoEvents isFiltered={search.kind !== null} onShowAll={() => void setSearch(null)} />}
    >
      <ul>
        {log.items.map((event) => (
          <SecurityEventRow key={event.id} event={event} clock={clock} />
        ))}
      </ul>
    </LogList>
  );
}

function NoEvents({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      icon={ShieldCheck}
      title={isFiltered ? 'No event of this kind' : 'Nothing was refused'}
      description="Failed sign-ins, refused API keys and blocked requests of your account and this business appear here."
      action={
        isFiltered && (
          <Button variant="secondary" onPress={onShowAll}>
            Show all events
          </Button>
        )
      }
    />
  );
}
