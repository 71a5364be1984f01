'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { onDemandComponent } from './overlay/load-on-demand';
import { requestToasts, toastRequest } from './toast';

const SonnerToaster = onDemandComponent(() => import('./sonner-toaster').then((module) => module.SonnerToaster));

const interactionTypes = ['pointerdown', 'keydown'] as const;

/** The container of toasts. Its code is loaded at the first press of a pointer or key, since no message comes before that. */
export function Toaster() {
  const isWanted = useSyncExternalStore(toastRequest.subscribe, toastRequest.isWanted, toastRequest.isRequestedOnServer);
  useEffect(() => {
    for (const type of interactionTypes) window.addEventListener(type, requestToasts, { once: true, passive: true });
    return () => {
      for (const type of interactionTypes) window.removeEventListener(type, requestToasts);
    };
  }, []);
  return isWanted ? <SonnerToaster /> : null;
}
