import type { ExternalToast } from 'sonner';

/**
 * Toasts for effects elsewhere on the page, and for undo. What shows them is loaded when somebody begins to do something (see
 * `Toaster`); until it is there, messages wait for it in their order.
 */

type Sonner = typeof import('sonner');
type ToastId = string | number;

let isWanted = false;
let arrived: (sonner: Sonner) => void = () => undefined;
const sonner = new Promise<Sonner>((resolve) => {
  arrived = resolve;
});
const listeners = new Set<() => void>();
let count = 0;

/** Loads what shows toasts. */
export function wantToasts(): void {
  if (isWanted) return;
  isWanted = true;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`: whether what shows toasts is wanted. */
export const toastDemand = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isWanted: () => isWanted,
  isWantedOnServer: () => false,
};

/** What shows toasts is in place, and takes them from now on. */
export function takeToasts(module: Sonner): void {
  arrived(module);
}

function show(kind: 'message' | 'success' | 'error', message: string, options: ExternalToast = {}): ToastId {
  const id = options.id ?? `toast-${++count}`;
  wantToasts();
  void sonner.then(({ toast: show }) => show[kind](message, { ...options, id }));
  return id;
}

/** Shows a message. @returns what `toast.dismiss` takes */
export const toast = Object.assign((message: string, options?: ExternalToast) => show('message', message, options), {
  success: (message: string, options?: ExternalToast) => show('success', message, options),
  error: (message: string, options?: ExternalToast) => show('error', message, options),
  dismiss: (id: ToastId): void => void sonner.then(({ toast: shown }) => shown.dismiss(id)),
});
