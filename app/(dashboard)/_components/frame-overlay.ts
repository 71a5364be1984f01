import { useSyncExternalStore } from 'react';

/**
 * The overlays that can open over any page, one at a time: the command palette, the list of shortcuts, the API calls, the
 * notifications, the sign-out question.
 */
export type FrameOverlay = 'palette' | 'shortcuts' | 'api' | 'notifications' | 'sign-out';

let shown: FrameOverlay | null = null;
const listeners = new Set<() => void>();

function show(next: FrameOverlay | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function openFrameOverlay(overlay: FrameOverlay): void {
  show(overlay);
}

/** Closes an overlay, unless another one has replaced it. */
export function closeFrameOverlay(overlay: FrameOverlay): void {
  if (shown === overlay) show(null);
}

export function toggleFrameOverlay(overlay: FrameOverlay): void {
  show(shown === overlay ? null : overlay);
}

/** The overlay that is open. */
export function useFrameOverlay(): FrameOverlay | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}
