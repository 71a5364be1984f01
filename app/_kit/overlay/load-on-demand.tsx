import type { ComponentType, ReactNode } from 'react';
import { useEffect, useState } from 'react';

/** A module that is loaded when it is first needed. */
export interface OnDemand<Module> {
  load: () => Promise<Module>;
  /** The module, or null until it is loaded; `isWanted` starts the load. Once shown, a module stays. */
  use: (isWanted: boolean) => Module | null;
}

const retryAfter = 3_000;

/**
 * Retries until the module is loaded: every few seconds and when the connection returns. @returns a function that stops the
 * retries
 */
function retryUntilLoaded<Module>(load: () => Promise<Module>, onLoaded: (module: Module) => void): () => void {
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

/** @param fetchModule e.g. `() => import('./dropdown-parts')` */
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
        // The next call tries again.
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
      return retryUntilLoaded(load, (module) => setShown(() => module));
    }, [isWanted, shown]);
    return shown ?? (isWanted ? loaded : null);
  };
  return { load, use: useModule };
}

/**
 * A component that is loaded when it is first shown. If loading fails, the page and its form input stay, and the load is
 * retried; `next/dynamic` would replace the page with an error.
 *
 * @param fetchComponent e.g. `() => import('./email-form').then((module) => module.EmailForm)`
 * @param placeholder shown until the component is loaded
 */
export function onDemandComponent<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = null,
): (props: Props) => ReactNode {
  const demand = onDemand(fetchComponent);
  return function OnDemandComponent(props: Props) {
    const Loaded = demand.use(true);
    return Loaded === null ? placeholder : <Loaded {...props} />;
  };
}
