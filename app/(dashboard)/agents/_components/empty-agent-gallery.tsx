'use client';

import { Bot, SearchX } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { NoSuchPage } from '@/app/_kit/no-such-page';
import { Surface } from '@/app/_kit/surface';
import { agentSearchParams } from '../search-params';
import { NewAgentButton } from './new-agent-button';

interface EmptyAgentGalleryProps {
  kind: 'none' | 'nothing-found' | 'no-such-page';
}

/** Stands where no agent is to be shown, and says why and what to do about it. */
export function EmptyAgentGallery({ kind }: EmptyAgentGalleryProps) {
  const [{ q }, setSearch] = useQueryStates(agentSearchParams, { history: 'push' });
  return (
    <Surface>
      {kind === 'none' ? (
        <EmptyState
          icon={Bot}
          title="No agents yet"
          description="An agent reads mail at an address of its own, drafts answers, and asks your people when it needs one."
          action={<NewAgentButton />}
          apiHint="GET /identity/agents"
        />
      ) : kind === 'no-such-page' ? (
        <NoSuchPage onShowFirst={() => void setSearch({ page: null })} />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No agent matches"
          description={reasonOf(q)}
          action={
            <Button variant="secondary" onPress={() => void setSearch(null)}>
              {q === '' ? 'Show all agents' : 'Clear search and filter'}
            </Button>
          }
        />
      )}
    </Surface>
  );
}

function reasonOf(q: string): string {
  if (q === '') return 'None has this status at the moment.';
  if (/[*?]/.test(q))
    return 'With * or ?, the whole name, kind or role has to match: add * where more may follow or come before.';
  return 'The search looks at name, kind and role. * stands for any characters and ? for one, such as inbox-*.';
}
