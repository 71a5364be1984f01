import type { PushSubscriptionInput } from '@/server/features/notifications/notification.schema';

/** Push notifications of this browser. */

/** Why this browser can't show notifications. */
export type PushObstacle = 'insecure' | 'home-screen' | 'unsupported' | 'denied';

export const obstacleLabels: Readonly<Record<PushObstacle, string>> = {
  insecure: 'Browsers show notifications only of sites that are opened with https.',
  'home-screen':
    'On an iPhone or iPad, first add Frontdesk to the home screen (Share, then Add to Home Screen) and open it there.',
  unsupported: 'This browser can’t show notifications of websites.',
  denied: 'This browser blocks notifications of Frontdesk. Allow them in its settings for this site, then reload the page.',
};

/** What tells browsers apart. */
interface BrowserFeatures {
  isSecure: boolean;
  hasPush: boolean;
  /** An iPhone or iPad, whose browsers have no push outside of the home screen. */
  isApple: boolean;
  isDenied: boolean;
}

export function obstacleOf({ isSecure, hasPush, isApple, isDenied }: BrowserFeatures): PushObstacle | null {
  if (!isSecure) return 'insecure';
  if (!hasPush) return isApple ? 'home-screen' : 'unsupported';
  return isDenied ? 'denied' : null;
}

/** What keeps this browser from showing notifications; null for nothing. */
export function pushObstacle(): PushObstacle | null {
  const hasPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  // iPads call themselves Macs, which have no touch screens.
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const isDenied = 'Notification' in window && Notification.permission === 'denied';
  return obstacleOf({ isSecure: window.isSecureContext, hasPush, isApple, isDenied });
}

/** The person did not allow notifications. */
export class PushDenied extends Error {
  override name = 'PushDenied';
}

function isKeyOf(subscription: PushSubscription, publicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') === publicKey;
}

/**
 * Asks for permission and subscribes.
 * @param publicKey of this installation; a subscription with an earlier one is replaced
 * @throws PushDenied
 */
export async function subscribeThisBrowser(publicKey: string): Promise<PushSubscriptionInput> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDenied();
  await navigator.serviceWorker.register('/notifications.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && !isKeyOf(known, publicKey)) await known.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } };
}

export async function unsubscribeThisBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
