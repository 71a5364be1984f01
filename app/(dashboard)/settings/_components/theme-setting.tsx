'use client';

import { useTheme } from 'next-themes';
import { SectionCard } from '@/app/_kit/section-card';
import { themeChoices } from '@/app/_kit/theme-choices';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';

/** Light, dark, or the system's choice. Applies immediately. */
export function ThemeSetting() {
  const { theme, setTheme } = useTheme();
  const chosen = useIsHydrated() ? (theme ?? 'system') : null;
  return (
    <SectionCard title="Appearance" description="Applies to this browser.">
      <fieldset className="grid max-w-lg gap-2 sm:grid-cols-3">
        <legend className="sr-only">Theme</legend>
        {themeChoices.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex h-10 cursor-pointer items-center gap-2 rounded-md border border-border-secondary px-3 hover:bg-surface-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={chosen === value}
              onChange={() => setTheme(value)}
              className="sr-only"
            />
            <Icon aria-hidden className="size-4" strokeWidth={1.75} />
            {label}
          </label>
        ))}
      </fieldset>
    </SectionCard>
  );
}
