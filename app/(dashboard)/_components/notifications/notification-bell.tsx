'use client';

import { Bell } from 'lucide-react';
import { openFrameOverlay } from '../frame-overlay';
import { NavCount } from '../nav-badge';
import { useUnread } from './use-unread';

/** Preloads the panel when it is about to be opened. */
const prepare = () => void import('./notification-panel');

const badge = { count: 'unread', unit: 'unread', tone: 'danger' } as const;

/** Opens the notifications, and counts those that have not been read. @param className its size */
export function NotificationBell({ className }: { className: string }) {
  const unread = useUnread();
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title="Notifications"
      onClick={() => openFrameOverlay('notifications')}
      onPointerEnter={prepare}
      onFocus={prepare}
      className={`relative flex shrink-0 items-center justify-center rounded-md text-muted hover:bg-background-tertiary hover:text-foreground ${className}`}
    >
      <Bell aria-hidden className="size-4.5" strokeWidth={1.75} />
      <span className="sr-only">Notifications</span>
      <NavCount badge={badge} count={unread} className="absolute -top-0.5 left-1/2" />
    </button>
  );
}
