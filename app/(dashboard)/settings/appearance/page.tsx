import type { Metadata } from 'next';
import { ThemeSetting } from '../_components/theme-setting';

export const metadata: Metadata = { title: 'Appearance · Settings' };

export default function AppearancePage() {
  return <ThemeSetting />;
}
