import type { PasskeyList } from '@/server/features/accounts/passkey.schema';

/** The browser that shows the page. */
interface Browser {
  origin: string;
  isSupported: boolean;
}

/** Why no passkey can be added here, and what to do; null if one can. */
export function obstacle({ isPossible, origin }: PasskeyList, browser: Browser): string | null {
  if (!isPossible) return 'Passkeys need https and a host name. Ask your administrator to set PUBLIC_URL to such an address.';
  if (browser.origin !== origin) return `Passkeys work only at ${origin}. Open Frontdesk there to add one.`;
  return browser.isSupported ? null : 'This browser doesn’t support passkeys.';
}
