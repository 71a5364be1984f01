'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { onDemandComponent } from './overlay/load-on-demand';
import { toastDemand, wantToasts } from './toast';

const SonnerToaster = onDemandComponent(() => import('./sonner-toaster').then((module) => module.SonnerToaster));

const beginnings = ['pointerdown', 'keydown'] as const;

/** The container of toasts. Its code is loaded at the first press of a pointer or key, since no message comes before that. */
export function Toaster() {
  const isWanted = useSyncExternalStore(toastDemand.subscribe, toastDemand.isWanted, toastDemand.isWantedOnServer);
  useEffect(() => {
    for (const type of beginnings) window.addEventListener(type, wantToasts, { once: true, passive: true });
    return () => {
      for (const type of beginnings) window.removeEventListener(type, wantToasts);
    };
  }, []);
  return isWanted ? <SonnerToaster /> : null;
}
