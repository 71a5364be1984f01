import type * as openid from 'openid-client';
import { oncePerProcess } from '../process-globals';

/** Loaded with the first sign-in at a provider, to keep the start short. */
export function openidClient(): Promise<typeof openid> {
  return oncePerProcess('openid-client', () => import('openid-client'));
}
