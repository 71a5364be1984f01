'use client';

import { useEffect, useState } from 'react';

/** A module that is fetched when it is first needed, and there at once from then on. */
export interface OnDemand<Module> {
  load: () => Promise<Module>;
  /** The module, while `isWanted`; null until it has come. What was shown once stays. */
  use: (isWanted: boolean) => Module | null;
}

const retryAfter = 3_000;

/** Loads until it has come: again when there is a connection again, and every few seconds. @returns call it to give up */
function keepTrying<Module>(load: () => Promise<Module>, onLoaded: (module: Module) => void): () => void {
  let isOver = false;
  let timer: number | undefined;
  const attempt = () => {
    window.clearTimeout(timer);
    load().then(
      (module) => {
        if (!isOver) onLoaded(module);
      },
      () => {
        if (!isOver) timer = window.setTimeout(attempt, retryAfter);
      },
    );
  };
  const giveUp = () => {
    isOver = true;
    window.clearTimeout(timer);
    window.removeEventListener('online', attempt);
  };
  window.addEventListener('online', attempt);
  attempt();
  return giveUp;
}

/** @param fetchModule e.g. `() => import('./dialog-parts')` */
export function onDemand<Module>(fetchModule: () => Promise<Module>): OnDemand<Module> {
  let loaded: Module | null = null;
  let loading: Promise<Module> | null = null;
  const load = (): Promise<Module> => {
    loading ??= fetchModule().then(
      (module) => {
        loaded = module;
        return module;
      },
      (error: unknown) => {
        // Another press tries again.
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const useModule = (isWanted: boolean): Module | null => {
    const [shown, setShown] = useState<Module | null>(null);
    useEffect(() => {
      if (!isWanted || shown !== null) return;
      return keepTrying(load, (module) => setShown(() => module));
    }, [isWanted, shown]);
    return shown ?? (isWanted ? loaded : null);
  };
  return { load, use: useModule };
}
