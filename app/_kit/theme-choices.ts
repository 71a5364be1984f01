import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';

export interface ThemeChoice {
  value: 'light' | 'dark' | 'system';
  label: string;
  icon: LucideIcon;
}

/** The themes a viewer can choose from. */
export const themeChoices: readonly ThemeChoice[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
];
