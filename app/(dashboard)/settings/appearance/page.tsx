import type { Metadata } from 'next';
import { ThemeSetting } from '../_components/theme-setting';

export const metadata: Metadata = { title: 'Appearance · Settings' };

/** How the dashboard looks in this browser. */
export default function AppearancePage() {
  return <ThemeSetting />;
}
