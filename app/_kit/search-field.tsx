import { Search, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PageKeys } from './page-keys';
import { usePageKeys } from './use-page-keys';

interface SearchFieldProps {
  /** The accessible name; also the placeholder. */
  label: string;
  value: string;
  /** Called after a pause in typing. */
  onSearch: (value: string) => void;
  maxLength?: number;
  /** The fields that are searched, briefly; for screen readers and on hover. */
  hint?: string;
  /** True if it takes the full width. */
  isWide?: boolean;
}

const pauseMilliseconds = 250;

/** A search field that waits for a pause in typing. `/` focuses it from anywhere on the page, Escape clears it. */
export function SearchField({ label, value, onSearch, maxLength = 500, hint, isWide = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // A value from outside (a cleared filter, the browser's back button) replaces the text; our own value coming back does not.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }

  useEffect(() => {
    if (text.trim() === sent) return;
    const timer = setTimeout(() => {
      setSent(text.trim());
      onSearch(text.trim());
    }, pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [text, sent, onSearch]);

  const keys = useMemo((): PageKeys<'search'> => ({ search: { keys: ['/'], meaning: label } }), [label]);
  usePageKeys('This page', keys, {
    search: () => {
      input.current?.focus();
      input.current?.select();
    },
  });

  const submitNow = (next: string) => {
    setText(next);
    setSent(next.trim());
    onSearch(next.trim());
  };

  return (
    <search className={`group relative min-w-0 flex-1 max-sm:basis-full ${isWide ? '' : 'sm:max-w-80'}`}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        aria-keyshortcuts="/"
        title={hint}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) submitNow(text);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (text === '') input.current?.blur();
          else submitNow('');
        }}
        className="input input--full-width w-full pr-9 pl-8.5 [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2 hidden size-5 -translate-y-1/2 items-center justify-center rounded-sm border border-border font-sans text-xs text-muted group-focus-within:hidden md:flex"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            submitNow('');
            input.current?.focus();
          }}
          className="absolute top-1/2 right-1 flex size-7 -translate-y-1/2 items-center justify-center rounded-md text-muted hover:bg-default hover:text-foreground"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}
