import type { ExternalToast } from 'sonner';
import { errorFacts } from './error-facts';

/**
 * Toasts for effects elsewhere on the page, and for undo. The renderer is loaded at the first interaction (see `Toaster`);
 * until then, messages are queued.
 */

type Sonner = typeof import('sonner');
type ToastId = string | number;

let isWanted = false;
let loaded: Sonner | undefined;
let resolveSonner: (sonner: Sonner) => void = () => undefined;
const sonner = new Promise<Sonner>((resolve) => {
  resolveSonner = resolve;
});
const listeners = new Set<() => void>();
let count = 0;

/** Loads the renderer of toasts. */
export function requestToasts(): void {
  if (isWanted) return;
  isWanted = true;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`: whether the renderer of toasts is needed. */
export const toastRequest = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isWanted: () => isWanted,
  isRequestedOnServer: () => false,
};

/** Connects the loaded renderer, which shows the queued toasts. */
export function connectToasts(module: Sonner): void {
  loaded = module;
  resolveSonner(module);
}

/** The toasts that have names, by them. One that is going away is none of them: a new text in it would go with it. */
const named = new Map<ToastId, ToastId>();

function forget(id: ToastId): void {
  for (const [name, shown] of named) if (shown === id) named.delete(name);
}

/** @param options with an `id`, a visible toast of the same name gets the new message */
function show(kind: 'message' | 'success' | 'error', message: string, options: ExternalToast = {}): ToastId {
  const { id: name } = options;
  const id = (name === undefined ? undefined : named.get(name)) ?? `toast-${++count}`;
  if (name !== undefined) named.set(name, id);
  const onEnd = () => forget(id);
  requestToasts();
  void sonner.then(({ toast: show }) => show[kind](message, { ...options, id, onDismiss: onEnd, onAutoClose: onEnd }));
  return id;
}

/** Shows a message. @returns the id for `toast.dismiss` */
export const toast = Object.assign((message: string, options?: ExternalToast) => show('message', message, options), {
  success: (message: string, options?: ExternalToast) => show('success', message, options),
  error: (message: string, options?: ExternalToast) => show('error', message, options),
  /** Shows why something failed; `what` is a sentence, such as "The key was not revoked." */
  failure: (what: string, error: unknown, options?: ExternalToast) =>
    show('error', `${what} ${errorFacts(error).message}`, options),
  /** Whether a toast is there, with this action. */
  isShown: (id: ToastId, action: ExternalToast['action']): boolean =>
    loaded?.toast.getToasts().some((shown) => shown.id === id && 'action' in shown && shown.action === action) ?? false,
  dismiss: (id: ToastId): void => {
    forget(id);
    void sonner.then(({ toast: shown }) => shown.dismiss(id));
  },
});
