import { useTheme } from 'next-themes';
import { useEffect } from 'react';
import * as sonner from 'sonner';
import { connectToasts } from './toast';

const { Toaster: Sonner } = sonner;

/** Renders toasts. For their distance from the bottom of the window see globals.css. */
export function SonnerToaster() {
  const { theme } = useTheme();
  // Runs after the effects of its children, which have subscribed by then.
  useEffect(() => connectToasts(sonner), []);
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
