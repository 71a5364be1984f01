'use client';

import { useSyncExternalStore } from 'react';

/** What lies over any page, one at a time: the command palette, the list of shortcuts, the calls behind the page, a question before signing out. */
export type FrameOverlay = 'palette' | 'shortcuts' | 'api' | 'sign-out';

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

/** Closes it, unless another one took its place meanwhile. */
export function closeFrameOverlay(overlay: FrameOverlay): void {
  if (shown === overlay) show(null);
}

export function toggleFrameOverlay(overlay: FrameOverlay): void {
  show(shown === overlay ? null : overlay);
}

/** What is open at the moment. */
export function useFrameOverlay(): FrameOverlay | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}
