import { useState, useSyncExternalStore } from 'react';

const storageKey = (identityId: string) => `frontdesk.first-steps.${identityId}`;

function remembered(identityId: string): boolean {
  try {
    return localStorage.getItem(storageKey(identityId)) === 'away';
  } catch {
    return false;
  }
}

const noChange = () => () => {};

interface PutAway {
  /** Undefined until the browser has taken over the page, which alone remembers it. */
  isPutAway: boolean | undefined;
  putAway: (isPutAway: boolean) => void;
  /** True once it was decided since the page was opened. */
  isDecidedHere: boolean;
}

/** Whether the first steps of a business were put away on this device. */
export function usePutAway(identityId: string): PutAway {
  const kept = useSyncExternalStore(
    noChange,
    () => remembered(identityId),
    () => undefined,
  );
  const [decided, setDecided] = useState<boolean>();
  const putAway = (isPutAway: boolean) => {
    setDecided(isPutAway);
    try {
      if (isPutAway) localStorage.setItem(storageKey(identityId), 'away');
      else localStorage.removeItem(storageKey(identityId));
    } catch {
      // Then it holds until the page is left.
    }
  };
  return { isPutAway: decided ?? kept, putAway, isDecidedHere: decided !== undefined };
}
