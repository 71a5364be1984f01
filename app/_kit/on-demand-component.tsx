'use client';

import type { ComponentType, ReactNode } from 'react';
import { onDemand } from './on-demand';

/**
 * A component that is fetched when it is first shown. Where it can't be fetched, the page stays as it is, with what was typed on it, and it
 * comes when there is a connection again; `next/dynamic` would take the page down.
 *
 * @param fetchComponent e.g. `() => import('./email-form').then((module) => module.EmailForm)`
 * @param placeholder stands in its place until it is there
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
