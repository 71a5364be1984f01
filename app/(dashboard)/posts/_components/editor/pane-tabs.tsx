'use client';

import type { KeyboardEvent } from 'react';

const panes = ['write', 'preview'] as const;

export type Pane = (typeof panes)[number];

const labels: Record<Pane, string> = { write: 'Write', preview: 'Preview' };

interface PaneTabsProps {
  /** Prefix of the ids of tabs and panels. */
  id: string;
  current: Pane;
  onChange: (pane: Pane) => void;
}

/** Source and preview where they do not fit side by side. */
export function PaneTabs({ id, current, onChange }: PaneTabsProps) {
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = current === 'write' ? 'preview' : 'write';
    onChange(other);
    document.getElementById(`${id}-${other}-tab`)?.focus();
  };
  return (
    <div role="tablist" aria-label="Post" onKeyDown={walk} className="flex gap-1 border-b border-border px-2 sm:px-4 lg:hidden">
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          role="tab"
          id={`${id}-${pane}-tab`}
          aria-selected={pane === current}
          aria-controls={`${id}-${pane}`}
          tabIndex={pane === current ? 0 : -1}
          onClick={() => onChange(pane)}
          className={`-mb-px h-10 border-b-2 px-3 -outline-offset-2 focus-visible:outline-2 focus-visible:outline-focus ${
            pane === current ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-foreground'
          }`}
        >
          {labels[pane]}
        </button>
      ))}
    </div>
  );
}
