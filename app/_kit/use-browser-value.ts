import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** A value that only the browser knows; `onServer` on the server and during hydration, so that both render the same. */
export function useBrowserValue<Value, ServerValue = Value>(
  read: () => Value | ServerValue,
  onServer: ServerValue,
): Value | ServerValue {
  return useSyncExternalStore(noChange, read, () => onServer);
}
