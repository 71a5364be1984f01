'use client';

import { CornerDownLeft } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { keyNames } from '@/app/_kit/page-keys';
import { useIsMac } from '@/app/_kit/use-is-mac';
import type { PaletteEntry, PaletteGroup } from './palette-entries';

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  activeId: string | undefined;
  onActivate: (entry: PaletteEntry) => void;
  onChoose: (entry: PaletteEntry, inNewTab: boolean) => void;
}

/** The id of an entry's element, for `aria-activedescendant`. */
export function optionId(listId: string, entryId: string): string {
  return `${listId}-${entryId.replaceAll(/[^\w-]/g, '-')}`;
}

/** What there is to choose from. The focus stays in the field above; the active line follows its keys, or the pointer. */
export function PaletteList({ id, groups, activeId, onActivate, onChoose }: PaletteListProps) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Results"
      // What is clicked here must not take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      className="max-h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2 max-sm:max-h-none max-sm:min-h-0 max-sm:flex-1"
    >
      {groups.map(({ label, entries }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by a role, not by a fieldset
        <div key={label} role="group" aria-labelledby={`${id}-group-${index}`} className="mb-1 last:mb-0">
          <div id={`${id}-group-${index}`} role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
            {label}
          </div>
          {entries.map((entry) => (
            <PaletteOption
              key={entry.id}
              id={optionId(id, entry.id)}
              entry={entry}
              isActive={entry.id === activeId}
              onActivate={onActivate}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface PaletteOptionProps extends Pick<PaletteListProps, 'onActivate' | 'onChoose'> {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
}

function PaletteOption({ id, entry, isActive, onActivate, onChoose }: PaletteOptionProps) {
  const element = useRef<HTMLDivElement>(null);
  const isMac = useIsMac();
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const choose = (event: MouseEvent) => onChoose(entry, event.metaKey || event.ctrlKey || event.button === 1);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerMove={() => {
        if (!isActive) onActivate(entry);
      }}
      onClick={choose}
      onAuxClick={choose}
      className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 max-sm:min-h-11 ${
        isActive ? 'bg-accent-soft text-accent-text' : ''
      }`}
    >
      <entry.icon aria-hidden className={`size-4 shrink-0 ${isActive ? '' : 'text-muted'}`} strokeWidth={1.75} />
      <span className="min-w-0 max-w-full shrink-0 truncate max-sm:max-w-[60%] sm:max-w-[70%]">{entry.title}</span>
      {entry.detail && (
        <span className={`min-w-0 flex-1 truncate text-label ${isActive ? '' : 'text-muted'}`}>{entry.detail}</span>
      )}
      {entry.keys && (
        <span aria-hidden className={`ml-auto shrink-0 text-xs max-sm:hidden ${isActive ? '' : 'text-muted'}`}>
          {keyNames(entry.keys, isMac).join(' ')}
        </span>
      )}
      {isActive && <CornerDownLeft aria-hidden className={`size-3.5 shrink-0 max-sm:hidden ${entry.keys ? '' : 'ml-auto'}`} />}
    </div>
  );
}
