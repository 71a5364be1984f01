'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';

/** Where toasts appear: for effects elsewhere on the page, and for undo. How far above the foot of the window, see globals.css. */
export function Toaster() {
  const { theme } = useTheme();
  return (
    <Sonner
      theme={theme === 'light' || theme === 'dark' ? theme : 'system'}
      position="bottom-right"
      gap={8}
      offset={20}
      toastOptions={{
        style: {
          background: 'var(--overlay)',
          color: 'var(--overlay-foreground)',
          border: '1px solid var(--border)',
          borderRadius: 8,
          boxShadow: 'var(--overlay-shadow)',
          fontFamily: 'var(--font-geist-sans), sans-serif',
          fontSize: '0.875rem',
        },
        actionButtonStyle: { background: 'var(--accent)', color: 'var(--accent-foreground)', borderRadius: 6, fontWeight: 500 },
      }}
    />
  );
}
