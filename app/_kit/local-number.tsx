'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** A number formatted for the viewer's locale. */
export function LocalNumber({ value }: { value: number }) {
  return useSyncExternalStore(
    noChange,
    () => value.toLocaleString(navigator.language),
    () => value.toLocaleString('en'),
  );
}
