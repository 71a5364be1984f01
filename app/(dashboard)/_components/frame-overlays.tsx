'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import type { PageKeys } from '@/app/_kit/page-keys';
import { undoLast } from '@/app/_kit/undo';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard } from '@/app/_kit/use-permission';
import { useIsFreshSignInAsked } from '@/app/_trpc/fresh-sign-in-question';
import { useRememberVisits } from './command-palette/recent-records';
import { closeFrameOverlay, type FrameOverlay, openFrameOverlay, toggleFrameOverlay, useFrameOverlay } from './frame-overlay';
import type { FrameProps } from './frame-props';
import { frameKeys, navigationKeys, newRecordOf } from './shortcuts/frame-keys';

const noKeys: PageKeys<'new'> = { new: { keys: [], meaning: '' } };

/** Runs the shortcuts that work on every page. */
function useFrameKeys(): void {
  const router = useRouter();
  const pathname = usePathname();
  const record = newRecordOf(pathname);
  const guard = useGuard(record?.needs);
  const meaning = record?.meaning;
  const newKeys = useMemo((): PageKeys<'new'> => (meaning === undefined ? noKeys : { new: { keys: ['n'], meaning } }), [meaning]);
  const goTo = (href: string) => leavePage(() => router.push(href));
  usePageKeys('This page', newKeys, record && record.href !== pathname ? { new: guard(() => goTo(record.href)) } : {}, {
    isGlobal: true,
  });
  usePageKeys(
    'Everywhere',
    frameKeys,
    { search: () => toggleFrameOverlay('palette'), undo: undoLast, help: () => openFrameOverlay('shortcuts') },
    { isGlobal: true },
  );
  const goes = Object.fromEntries(Object.keys(navigationKeys).map((href) => [href, () => goTo(href)]));
  usePageKeys('Go to', navigationKeys, goes, { isGlobal: true });
}

// Loaded when first opened, so that no page includes them.
const CommandPalette = onDemandComponent(() =>
  import('./command-palette/command-palette').then((module) => module.CommandPalette),
);
const ShortcutsDialog = onDemandComponent(() => import('./shortcuts/shortcuts-dialog').then((module) => module.ShortcutsDialog));
const FreshSignInDialog = onDemandComponent(() => import('./fresh-sign-in-dialog').then((module) => module.FreshSignInDialog));
const ApiDrawer = onDemandComponent(() => import('./api-drawer/api-drawer').then((module) => module.ApiDrawer));
const NotificationPanel = onDemandComponent(() =>
  import('./notifications/notification-panel').then((module) => module.NotificationPanel),
);
const SignOutDialog = onDemandComponent(() => import('./sign-out-dialog').then((module) => module.SignOutDialog));

/** The overlays and the keys that open them. */
export function FrameOverlays(frame: FrameProps) {
  useFrameKeys();
  useRememberVisits(frame.identity.id);
  const isFreshSignInAsked = useIsFreshSignInAsked();
  const shown = useFrameOverlay();
  // An overlay stays mounted after closing, so that its exit animation is visible.
  const [wanted, setWanted] = useState<readonly FrameOverlay[]>([]);
  if (shown !== null && !wanted.includes(shown)) setWanted([...wanted, shown]);
  const propsOf = (overlay: FrameOverlay) => ({
    isOpen: shown === overlay,
    onOpenChange: (isOpen: boolean) => {
      if (!isOpen) closeFrameOverlay(overlay);
    },
  });
  return (
    <>
      {wanted.includes('palette') && <CommandPalette {...frame} {...propsOf('palette')} />}
      {wanted.includes('shortcuts') && <ShortcutsDialog {...propsOf('shortcuts')} />}
      {isFreshSignInAsked && <FreshSignInDialog />}
      {wanted.includes('sign-out') && <SignOutDialog userId={frame.account.user.id} {...propsOf('sign-out')} />}
      {wanted.includes('notifications') && <NotificationPanel {...propsOf('notifications')} />}
      {wanted.includes('api') && <ApiDrawer {...propsOf('api')} />}
    </>
  );
}
