import { useQueryClient } from '@tanstack/react-query';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Draft } from '@/server/features/conversations/draft.schema';
import { type ComposerValues, fromDraft, toDraft } from './composer-values';
import type { DraftApi } from './draft-sync';

interface DraftApiOptions {
  /** What the draft replies to; null for a new email. */
  conversationId: string | null;
  /** Fetches what the server has in its place. */
  load: () => Promise<Draft | null>;
  /** Keeps what the server has, for when the page is shown again. */
  store: (draft: Draft | null) => void;
}

/** The requests of a draft. They are no mutations of the query cache, since pages wait with their refresh for those. */
export function useDraftApi({ conversationId, load, store }: DraftApiOptions): DraftApi<ComposerValues> {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const note = (draft: Draft | null, refetchType: 'active' | 'none') => {
    store(draft);
    void queryClient.invalidateQueries({ ...trpc.drafts.list.pathFilter(), refetchType });
  };
  return {
    save: async (draftId, values, revision) => {
      const input = { draftId, conversationId, ...toDraft(values) };
      const draft = await client.drafts.save.mutate(input, revision === null ? {} : ifMatch(revision));
      note(draft, revision === null ? 'active' : 'none');
      return draft.revision;
    },
    load: async () => {
      const draft = await load();
      return draft && fromDraft(draft);
    },
    remove: async (draftId) => {
      await client.drafts.delete.mutate({ draftId });
      note(null, 'active');
    },
  };
}
