'use client';

import { Search } from 'lucide-react';
import { useIsMac } from '@/app/_kit/use-is-mac';
import { openFrameOverlay } from '../frame-overlay';

/** Preloads the palette when it is about to be opened. */
const prepare = () => void import('./command-palette');

interface PaletteButtonProps {
  /** Only the icon, on a phone. */
  isCompact?: boolean;
}

/** Opens the command palette. */
export function PaletteButton({ isCompact = false }: PaletteButtonProps) {
  const isMac = useIsMac();
  return (
    <button
      type="button"
      aria-label="Search and commands"
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={() => openFrameOverlay('palette')}
      onPointerEnter={prepare}
      onFocus={prepare}
      className={
        isCompact
          ? 'flex size-10 shrink-0 items-center justify-center rounded-md hover:bg-background-tertiary'
          : 'flex h-8 w-full items-center gap-2.5 rounded-md border border-border bg-surface px-2 text-muted hover:border-border-secondary hover:text-foreground'
      }
    >
      <Search aria-hidden className={isCompact ? 'size-5 text-muted' : 'size-4'} strokeWidth={1.75} />
      {!isCompact && (
        <>
          Search
          <kbd aria-hidden className="ml-auto font-sans text-xs">
            {isMac ? '⌘K' : 'Ctrl K'}
          </kbd>
        </>
      )}
    </button>
  );
}
