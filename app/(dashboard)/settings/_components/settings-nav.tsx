'use client';

import {
  Activity,
  AtSign,
  Ban,
  Bell,
  CircleUserRound,
  Database,
  Inbox,
  KeyRound,
  type LucideIcon,
  Mail,
  MessageSquareText,
  Palette,
  ShieldCheck,
  Tag,
  TriangleAlert,
  Users,
  Webhook,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { scrollToMiddle } from '@/app/_kit/scroll-to-middle';
import { useRole } from '@/app/_kit/use-permission';
import { isOpenTo } from '../../_components/nav-entries';

interface SettingsSection {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** The pages of the settings, the most used first. */
const settingsSections: readonly SettingsSection[] = [
  { href: '/settings/profile', label: 'Profile', icon: CircleUserRound },
  { href: '/settings', label: 'Account', icon: AtSign },
  { href: '/settings/team', label: 'Team', icon: Users },
  { href: '/settings/sign-in', label: 'Sign-in', icon: ShieldCheck },
  { href: '/settings/notifications', label: 'Notifications', icon: Bell },
  { href: '/settings/mailboxes', label: 'Mailboxes', icon: Inbox },
  { href: '/settings/snippets', label: 'Snippets', icon: MessageSquareText },
  { href: '/settings/labels', label: 'Labels', icon: Tag },
  { href: '/settings/blocked-senders', label: 'Blocked senders', icon: Ban },
  { href: '/settings/appearance', label: 'Appearance', icon: Palette },
  { href: '/settings/api', label: 'Plan & API', icon: KeyRound },
  { href: '/settings/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/settings/events', label: 'Events', icon: Activity },
  { href: '/settings/mail', label: 'Email', icon: Mail },
  { href: '/settings/data', label: 'Data', icon: Database },
  { href: '/settings/danger', label: 'Danger zone', icon: TriangleAlert },
];

/** The navigation of the settings. On a phone it is a strip that scrolls the current one into view. */
export function SettingsNav() {
  const pathname = usePathname();
  const role = useRole();
  return (
    <nav aria-label="Settings" className="mb-5 lg:mb-0">
      <ul className="relative -mx-4 flex gap-1 overflow-x-auto px-4 pb-1 sm:mx-0 sm:px-0 lg:sticky lg:top-8 lg:flex-col lg:overflow-visible">
        {settingsSections
          .filter(({ href }) => isOpenTo(role, href))
          .map(({ href, label, icon: Icon }) => {
            const isCurrent = pathname === href || (href !== '/settings' && pathname.startsWith(`${href}/`));
            return (
              <li key={href} className="shrink-0">
                <Link
                  href={href}
                  ref={isCurrent ? scrollToMiddle : null}
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
