import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPCClient } from '@/app/_trpc/client';
import type { Assignee, ConversationRecord, ConversationStatus } from '@/server/features/conversations/conversation.schema';
import type { ShownLabel } from '@/server/features/conversations/label.schema';
import { belongsTo } from '../search-params';
import { statusLabels } from './conversation-labels';
import { useInbox } from './inbox-context';
import { type ConversationChange, changeKey, useConversationCache } from './use-conversation-cache';
import { useLaterText } from './use-later-text';
import { countedConversations } from './use-trash';

type FieldChange = Omit<ConversationChange, 'isTrashed'>;

interface LabelChange {
  addLabels?: string[];
  removeLabels?: string[];
}

/** Conversations that get the same change. */
export interface BulkChange {
  ids: readonly string[];
  change: FieldChange | LabelChange;
}

/** As many as the API changes in one request. */
const requestMaximum = 100;

/** What undoes a change of several conversations: one change for all that were the same before. */
export function undoOf(conversations: readonly ConversationRecord[], change: FieldChange): BulkChange[] {
  const groups = new Map<string, { ids: string[]; change: FieldChange }>();
  const fields = Object.keys(change) as (keyof FieldChange)[];
  for (const conversation of conversations) {
    const before = Object.fromEntries(fields.map((field) => [field, conversation[field]])) as FieldChange;
    const key = JSON.stringify(before);
    const group = groups.get(key) ?? { ids: [], change: before };
    groups.set(key, group);
    group.ids.push(conversation.id);
  }
  return [...groups.values()];
}

const isOfFields = (change: BulkChange['change']): change is FieldChange => !('addLabels' in change || 'removeLabels' in change);

function* batchesOf(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += requestMaximum) yield ids.slice(start, start + requestMaximum);
}

/** One after the other: undo waits for what it undoes. */
const scope = { id: 'bulk' };

function useBulkMutations() {
  const client = useTRPCClient();
  const cache = useConversationCache();
  const update = useMutation({
    mutationKey: [...changeKey, 'update many'],
    mutationFn: async (changes: readonly BulkChange[]) => {
      for (const { ids, change } of changes) {
        for (const batch of batchesOf(ids)) await client.conversations.updateMany.mutate({ ids: batch, ...change });
      }
    },
    onMutate: async (changes) => {
      for (const { ids, change } of changes) if (isOfFields(change)) await cache.show(ids, change);
    },
    onError: (error) => toast.failure('Couldn’t update the conversations.', error),
    onSettled: cache.settle,
    scope,
  });
  const move = useMutation({
    mutationKey: [...changeKey, 'trash many'],
    mutationFn: async ({ ids, isTrashed }: { ids: readonly string[]; isTrashed: boolean }) => {
      for (const batch of batchesOf(ids)) {
        if (isTrashed) await client.conversations.deleteMany.mutate({ ids: batch });
        else await client.conversations.restoreMany.mutate({ ids: batch });
      }
    },
    onMutate: ({ ids, isTrashed }) => cache.show(ids, { isTrashed }),
    onError: (error, { isTrashed }) =>
      toast.failure(isTrashed ? 'Couldn’t delete the conversations.' : 'Couldn’t restore the conversations.', error),
    onSettled: cache.settle,
    scope,
  });
  return { update: update.mutate, move: move.mutate };
}

/** Actions on the conversations that are chosen in the list. */
export function useBulkActions(chosen: readonly ConversationRecord[]) {
  const { search, selection, openId, close } = useInbox();
  const { update, move } = useBulkMutations();
  const textOf = useLaterText();
  const counted = countedConversations(chosen.length);

  const afterwards = (done: string, change: ConversationChange, onUndo: () => void) => {
    undoToast({ message: `${counted} ${done}`, id: 'bulk', onUndo });
    const leaves = (conversation: ConversationRecord) => !belongsTo(search, { ...conversation, ...change });
    selection.clear();
    // Viewing a conversation marks it as read.
    const isOpenOne = chosen.some(
      (conversation) => conversation.id === openId && (leaves(conversation) || change.isRead === false),
    );
    if (isOpenOne) close();
  };

  const apply = (done: string, change: FieldChange) => {
    update([{ ids: chosen.map(({ id }) => id), change }]);
    afterwards(done, change, () => update(undoOf(chosen, change)));
  };

  const setTrashed = (isTrashed: boolean) => {
    const ids = chosen.map(({ id }) => id);
    move({ ids, isTrashed });
    afterwards(isTrashed ? 'moved to trash' : 'restored', { isTrashed }, () => move({ ids, isTrashed: !isTrashed }));
  };

  return {
    setArchived: (isArchived: boolean) => apply(isArchived ? 'archived' : 'moved to inbox', { isArchived, snoozedUntil: null }),
    snooze: (until: Date) => apply(`snoozed until ${textOf(until)}`, { isArchived: true, snoozedUntil: until.toISOString() }),
    setRead: (isRead: boolean) => apply(isRead ? 'marked as read' : 'marked as unread', { isRead }),
    setSpam: (isSpam: boolean) => apply(isSpam ? 'marked as spam' : 'marked as not spam', { isSpam }),
    setTrashed,
    setLabel: ({ id, name }: ShownLabel, isOn: boolean) => {
      // Those that have it already keep it when this is undone.
      const ids = chosen.filter(({ labels }) => labels.some((label) => label.id === id) !== isOn).map((each) => each.id);
      const set = (on: boolean) => update([{ ids, change: on ? { addLabels: [id] } : { removeLabels: [id] } }]);
      set(isOn);
      afterwards(isOn ? `labeled “${name}”` : `without “${name}”`, {}, () => set(!isOn));
    },
    changeStatus: (status: ConversationStatus) => apply(`set to “${statusLabels[status].label}”`, { status }),
    assign: (assignee: Assignee | null) => apply(assignee ? `assigned to ${assignee.name}` : 'unassigned', { assignee }),
  };
}
