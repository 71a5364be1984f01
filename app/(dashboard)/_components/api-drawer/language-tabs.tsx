'use client';

import { type KeyboardEvent, type ReactNode, useId } from 'react';

const languages = { curl: 'curl', typescript: 'TypeScript' } as const;

export type Language = keyof typeof languages;

const storageKey = 'frontdesk.api-language';

export function rememberedLanguage(): Language {
  try {
    return localStorage.getItem(storageKey) === 'typescript' ? 'typescript' : 'curl';
  } catch {
    return 'curl';
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Then it is chosen anew each time.
  }
}

interface LanguageTabsProps {
  current: Language;
  onChange: (language: Language) => void;
  children: ReactNode;
}

/** In which language the calls are shown; there are two, so every arrow leads to the other one. */
export function LanguageTabs({ current, onChange, children }: LanguageTabsProps) {
  const id = useId();
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const isFirst = event.key === 'Home' || (event.key !== 'End' && current !== 'curl');
    const next = isFirst ? 'curl' : 'typescript';
    onChange(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label="Language" onKeyDown={walk} className="mb-4 flex gap-2 border-b border-border">
        {Object.entries(languages).map(([language, label]) => {
          const isCurrent = language === current;
          return (
            <button
              key={language}
              id={`${id}-${language}`}
              type="button"
              role="tab"
              aria-selected={isCurrent}
              aria-controls={isCurrent ? `${id}-panel` : undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => onChange(language as Language)}
              className={`-mb-px flex h-9 items-center border-b-2 px-2 -outline-offset-2 max-sm:h-11 ${
                isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
              }`}
            >
              {label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
