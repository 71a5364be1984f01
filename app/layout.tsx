import './globals.css';

import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { InputBeforeHydration } from './_kit/overlay/input-before-hydration';
import { ThemeProvider } from './_kit/theme-provider';
import { Toaster } from './_kit/toaster';
import { geistMono } from './fonts';

export const metadata: Metadata = {
  title: { template: '%s · Frontdesk', default: 'Frontdesk' },
  description: 'Customers, conversations and agents of your business, in one place.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf9' },
    { media: '(prefers-color-scheme: dark)', color: '#141312' },
  ],
};

/** Reading the request makes every page dynamic, which the nonce of its content security policy requires. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${geistMono.variable}`}>
      <body>
        <InputBeforeHydration nonce={nonce} />
        <ThemeProvider nonce={nonce}>
          {children}
          <Toaster />
        </ThemeProvider>
      </body>
    </html>
  );
}
