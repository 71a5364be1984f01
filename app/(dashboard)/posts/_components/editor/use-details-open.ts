'use client';

import { useState } from 'react';

const storageKey = 'frontdesk.post-details';

function remembered(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'open';
  } catch {
    return false;
  }
}

/**
 * Whether the details are open: as they were left on this device, where they have a place of their own. A sheet that covers the post
 * opens only when it is asked for.
 */
export function useDetailsOpen(isDrawer: boolean): [boolean, (isOpen: boolean) => void] {
  const [isDrawerOpen, setIsDrawerOpen] = useState(remembered);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const openDrawer = (isOpen: boolean) => {
    setIsDrawerOpen(isOpen);
    try {
      localStorage.setItem(storageKey, isOpen ? 'open' : 'closed');
    } catch {
      // Then it begins closed.
    }
  };
  return isDrawer ? [isDrawerOpen, openDrawer] : [isSheetOpen, setIsSheetOpen];
}
