import { useMutation } from '@tanstack/react-query';
import { errorFacts } from './error-facts';
import { toast } from './toast';
import { undoToast } from './undo-toast';

interface Deletion<Key> {
  /** The kind of record: "customer". */
  what: string;
  remove: (key: Key) => Promise<unknown>;
  restore: (key: Key) => Promise<unknown>;
  /** Refetches what has shown the record. */
  refresh: (key: Key, change: 'deleted' | 'restored') => void;
}

interface Deleted<Key> {
  key: Key;
  name: string;
  /** Called after the deletion, before any query is refetched. */
  onDeleted?: (() => void) | undefined;
}

/** Deletes a record that can be restored, and offers to do so for some seconds; the toast outlives the page. */
export function useDeletion<Key>({ what, remove, restore, refresh }: Deletion<Key>) {
  const undo = useMutation({
    mutationFn: restore,
    onSuccess: (_, key) => refresh(key, 'restored'),
    onError: (error) => toast.failure(`Couldn’t restore the ${what}.`, error),
  });
  return useMutation({
    mutationFn: ({ key }: Deleted<Key>) => remove(key),
    onSuccess: (_, { key, name, onDeleted }) => {
      onDeleted?.();
      const message = `${what.charAt(0).toUpperCase()}${what.slice(1)} deleted`;
      undoToast({ message, description: name, onUndo: () => undo.mutate(key) });
      refresh(key, 'deleted');
    },
    onError: (error, { key }) => {
      toast.failure(`Couldn’t delete the ${what}.`, error);
      // It was deleted elsewhere.
      if (errorFacts(error).code === 'not_found') refresh(key, 'deleted');
    },
  });
}
