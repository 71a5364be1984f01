'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** A number as the viewer's locale writes it. */
export function LocalNumber({ value }: { value: number }) {
  return useSyncExternalStore(
    noChange,
    () => value.toLocaleString(navigator.language),
    () => value.toLocaleString('en'),
  );
}
