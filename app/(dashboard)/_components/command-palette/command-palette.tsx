import { Modal } from '@heroui/react/modal';
import { CornerDownLeft, Search, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { Marked } from '@/app/_kit/marked';
import { keyNames } from '@/app/_kit/page-keys';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useIsMac } from '@/app/_kit/use-is-mac';
import { searchMaximum } from '@/server/features/search/search.schema';
import { type TextFinder, textFinder } from '@/server/platform/search-words';
import type { FrameProps } from '../frame-props';
import { movedIndex, type PaletteEntry, type PaletteGroup } from './palette-entries';
import { changeRecent, withRecent } from './recent-records';
import { usePaletteGroups } from './use-palette-groups';

interface CommandPaletteProps extends FrameProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Finds pages, actions and records of every kind by name. Its state is reset each time it opens. */
export function CommandPalette({ isOpen, onOpenChange, ...frame }: CommandPaletteProps) {
  return (
    <Modal.Backdrop isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal.Container size="lg" placement="top" className="max-sm:p-0 sm:pt-[12dvh]">
        <Modal.Dialog
          aria-label="Search and commands"
          className="gap-0 overflow-hidden p-0 max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none"
        >
          <PaletteContent {...frame} onClose={() => onOpenChange(false)} />
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

function PaletteContent({ onClose, ...frame }: FrameProps & { onClose: () => void }) {
  const id = useId();
  const router = useRouter();
  const [text, setText] = useState('');
  const [activeId, setActiveId] = useState<string | null>(null);
  const { groups, matches, isSearching, isIncomplete } = usePaletteGroups(frame, text);
  const entries = groups.flatMap((group) => group.entries);
  const finder = useMemo(() => textFinder(text), [text]);
  // The active entry can disappear with the next letter, or arrive later with a server response.
  const active = entries.find((entry) => entry.id === activeId) ?? entries[0];

  const choose = (entry: PaletteEntry, inNewTab: boolean) => {
    const { href, record } = entry;
    if (record) changeRecent(frame.identity.id, (list) => withRecent(list, record));
    if (href !== undefined && inNewTab) {
      window.open(href, '_blank', 'noopener');
      return;
    }
    onClose();
    if (href === undefined) entry.run?.();
    else leavePage(() => (entry.isOutside ? window.location.assign(href) : router.push(href)));
  };

  // Pressing Enter right after typing opens the first result, once it is found.
  const [isEnterPending, setIsEnterPending] = useState(false);
  const chooseFirst = useEffectEvent(() => {
    setIsEnterPending(false);
    if (active && matches > 0) choose(active, false);
  });
  useEffect(() => {
    if (isEnterPending && !isSearching) chooseFirst();
  }, [isEnterPending, isSearching]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active) choose(active, event.metaKey || event.ctrlKey);
      else setIsEnterPending(isSearching);
      return;
    }
    if (event.shiftKey || event.altKey || event.metaKey || event.ctrlKey) return;
    const next = movedIndex(event.key, active ? entries.indexOf(active) : 0, entries.length);
    if (next === null) return;
    event.preventDefault();
    setActiveId(entries[next]?.id ?? null);
  };

  return (
    <>
      <div className="flex shrink-0 items-center gap-2.5 border-b border-border pr-2 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          // The dialog gives the focus to what asks for it.
          // biome-ignore lint/a11y/noAutofocus: a dialog has to begin somewhere, and this one is for typing
          autoFocus
          role="combobox"
          aria-label="Search for pages, actions and records"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(`${id}-list`, active.id) : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={searchMaximum}
          placeholder="Search or type a command"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(null);
            setIsEnterPending(false);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
        />
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-background-tertiary hover:text-foreground max-sm:size-10"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <PaletteStatus text={text} matches={matches} isSearching={isSearching} isIncomplete={isIncomplete} />
      <PaletteList
        id={`${id}-list`}
        groups={groups}
        finder={finder}
        activeId={active?.id}
        onActivate={(entry) => setActiveId(entry.id)}
        onChoose={choose}
      />
      <PaletteHints />
    </>
  );
}

interface PaletteStatusProps {
  text: string;
  matches: number;
  isSearching: boolean;
  isIncomplete: boolean;
}

/** The search result as text: visible if there is nothing to list, and always for screen readers. */
function PaletteStatus({ text, matches, isSearching, isIncomplete }: PaletteStatusProps) {
  const query = text.trim();
  const isEmpty = query !== '' && matches === 0 && !isSearching;
  const words = isSearching ? 'Searching…' : `${matches} ${matches === 1 ? 'result' : 'results'}`;
  const failure = 'Some results couldn’t load.';
  return (
    <>
      <p role="status" className="sr-only">
        {query === '' ? '' : [words, isIncomplete ? failure : ''].join(' ').trim()}
      </p>
      {(isEmpty || isIncomplete) && (
        <p aria-hidden className="px-4 pt-4 text-muted">
          {isIncomplete ? failure : `No results for “${query}”`}
        </p>
      )}
      {isSearching && matches === 0 && (
        <p aria-hidden className="skeleton-late px-4 py-4 text-muted">
          Searching…
        </p>
      )}
    </>
  );
}

function PaletteHints() {
  const isMac = useIsMac();
  const hints = [
    ['↑ ↓', 'to choose'],
    ['Enter', 'to open'],
    [isMac ? '⌘ Enter' : 'Ctrl Enter', 'in a new tab'],
    ['Esc', 'to close'],
  ];
  return (
    <div aria-hidden className="flex shrink-0 gap-4 border-t border-border px-4 py-2 text-xs text-muted max-sm:hidden">
      {hints.map(([key, meaning]) => (
        <span key={key}>
          <kbd className="font-sans font-medium text-foreground">{key}</kbd> {meaning}
        </span>
      ))}
    </div>
  );
}

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  /** Marks what was typed. */
  finder: TextFinder;
  activeId: string | undefined;
  onActivate: (entry: PaletteEntry) => void;
  onChoose: (entry: PaletteEntry, inNewTab: boolean) => void;
}

/** The id of an entry's element, for `aria-activedescendant`. */
function optionId(listId: string, entryId: string): string {
  return `${listId}-${entryId.replaceAll(/[^\w-]/g, '-')}`;
}

/** The list of choices. The focus stays in the field above; the active row follows its keys or the pointer. */
function PaletteList({ id, groups, finder, activeId, onActivate, onChoose }: PaletteListProps) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Results"
      // A click here must not take the focus from the field.
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
              finder={finder}
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

interface PaletteOptionProps extends Pick<PaletteListProps, 'finder' | 'onActivate' | 'onChoose'> {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
}

function PaletteOption({ id, entry, finder, isActive, onActivate, onChoose }: PaletteOptionProps) {
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
      <span className="min-w-0 max-w-full shrink-0 truncate max-sm:max-w-[60%] sm:max-w-[70%]">
        <Marked text={entry.title} finder={finder} />
      </span>
      {entry.detail && (
        <span className={`min-w-0 flex-1 truncate text-label ${isActive ? '' : 'text-muted'}`}>
          <Marked text={entry.detail} finder={finder} />
        </span>
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
