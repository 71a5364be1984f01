'use client';

import { useEffect, useState } from 'react';

/** A module that is fetched when it is first needed, and there at once from then on. */
export interface OnDemand<Module> {
  load: () => Promise<Module>;
  /** The module, while `isWanted`; null until it has come. What was shown once stays. */
  use: (isWanted: boolean) => Module | null;
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
      let isGone = false;
      load().then(
        (module) => {
          if (!isGone) setShown(() => module);
        },
        () => undefined,
      );
      return () => {
        isGone = true;
      };
    }, [isWanted, shown]);
    return shown ?? (isWanted ? loaded : null);
  };
  return { load, use: useModule };
}
