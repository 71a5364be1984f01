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

interface SettingsSection {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** The pages of the settings, from what is looked at most to what is done once. */
export const settingsSections: readonly SettingsSection[] = [
  { href: '/settings', label: 'Account', icon: CircleUserRound },
  { href: '/settings/security', label: 'Security', icon: ShieldCheck },
  { href: '/settings/sessions', label: 'Sessions', icon: MonitorSmartphone },
  { href: '/settings/appearance', label: 'Appearance', icon: Palette },
  { href: '/settings/api', label: 'Plan and API', icon: KeyRound },
  { href: '/settings/mail', label: 'Mail', icon: Mail },
  { href: '/settings/danger', label: 'Danger zone', icon: TriangleAlert },
];
