'use client';

import {
  CircleUserRound,
  KeyRound,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

interface SettingsSection {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** The pages of the settings, the most used first. */
const settingsSections: readonly SettingsSection[] = [
  { href: '/settings', label: 'Account', icon: CircleUserRound },
  { href: '/settings/security', label: 'Security', icon: ShieldCheck },
  { href: '/settings/sessions', label: 'Sessions', icon: MonitorSmartphone },
  { href: '/settings/appearance', label: 'Appearance', icon: Palette },
  { href: '/settings/api', label: 'Plan & API', icon: KeyRound },
  { href: '/settings/mail', label: 'Email', icon: Mail },
  { href: '/settings/danger', label: 'Danger zone', icon: TriangleAlert },
];

/** The navigation of the settings. On a phone it is a strip that scrolls the current one into view. */
export function SettingsNav() {
  const pathname = usePathname();
  const current = useRef<HTMLAnchorElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current section.
  useEffect(() => {
    const strip = current.current?.closest('ul');
    const { offsetLeft = 0, offsetWidth = 0 } = current.current ?? {};
    strip?.scrollTo({ left: offsetLeft + offsetWidth / 2 - strip.clientWidth / 2 });
  }, [pathname]);

  return (
    <nav aria-label="Settings" className="mb-5 lg:mb-0">
      <ul className="relative -mx-4 flex gap-1 overflow-x-auto px-4 pb-1 sm:mx-0 sm:px-0 lg:sticky lg:top-8 lg:flex-col lg:overflow-visible">
        {settingsSections.map(({ href, label, icon: Icon }) => {
          const isCurrent = pathname === href;
          return (
            <li key={href} className="shrink-0">
              <Link
                href={href}
                ref={isCurrent ? current : null}
                aria-current={isCurrent ? 'page' : undefined}
                className={`flex h-9 items-center gap-2 rounded-md px-2.5 whitespace-nowrap ${
                  isCurrent
                    ? 'bg-background-tertiary font-medium'
                    : 'text-muted hover:bg-background-tertiary hover:text-foreground'
                }`}
              >
                <Icon aria-hidden className="size-4" strokeWidth={1.75} />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
