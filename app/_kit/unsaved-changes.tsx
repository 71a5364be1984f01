import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog';
import { canKeepDrafts } from './draft-store';

/** Asks before another page is opened, while a form has unsaved changes. */
let guard: ((leave: () => void) => void) | null = null;

/** Leaves the page programmatically (a command palette, a shortcut), asking first if changes would be lost. */
export function leavePage(leave: () => void): void {
  if (guard) guard(leave);
  else leave();
}

/** True while the page is left because the session has ended: no question is needed, since drafts are stored. */
let isSigningOut = false;

/** Opens an address because the session has ended, here or elsewhere. */
export function leaveSignedOut(href: string): void {
  isSigningOut = canKeepDrafts();
  window.location.assign(href);
}

/** The link that a click will follow inside the dashboard; null for anything else. */
function followedLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || (link.target !== '' && link.target !== '_self') || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin) return null;
  const isSamePage = url.pathname === window.location.pathname && url.search === window.location.search;
  return isSamePage ? null : `${url.pathname}${url.search}${url.hash}`;
}

interface UnsavedChangesGuardProps {
  /** True while leaving would lose something. */
  isDirty: boolean;
  /** What has changes: "this customer". */
  subject: string;
  /** Called when the user confirms losing them. */
  onLeave?: () => void;
}

/**
 * Asks before unsaved changes are lost: when the tab is closed or reloaded (the browser's own question), when a link is
 * followed, and when going back or forward in browsers where a page can prevent that (the Navigation API).
 */
export function UnsavedChangesGuard({ isDirty, subject, onLeave }: UnsavedChangesGuardProps) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const ask = useEffectEvent((next: () => void) => setLeave(() => next));
  const push = useEffectEvent((href: string) => router.push(href));

  useEffect(() => {
    if (!isDirty) return;
    const { navigation } = window;
    let isLeaving = false;
    const askThen = (go: () => void) =>
      ask(() => {
        isLeaving = true;
        go();
      });
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving && !isSigningOut) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const href = isLeaving ? null : followedLink(event);
      if (href === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      askThen(() => push(href));
    };
    const onNavigate = (event: NavigateEvent) => {
      if (isLeaving || event.navigationType !== 'traverse' || !event.cancelable || !event.destination.sameDocument) return;
      event.preventDefault();
      const { key } = event.destination;
      askThen(() => navigation.traverseTo(key));
    };
    guard = askThen;
    window.addEventListener('beforeunload', onBeforeUnload);
    window.addEventListener('click', onClick, { capture: true });
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      guard = null;
      window.removeEventListener('beforeunload', onBeforeUnload);
      window.removeEventListener('click', onClick, { capture: true });
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [isDirty]);

  return (
    <ConfirmDialog
      isOpen={leave !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) setLeave(null);
      }}
      title="Discard changes?"
      description={`You have unsaved changes to ${subject}.`}
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      tone="danger"
      onConfirm={() => {
        setLeave(null);
        onLeave?.();
        leave?.();
      }}
    />
  );
}
