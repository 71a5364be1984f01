import { randomBytes } from 'node:crypto';
import { isSameText } from '@/server/platform/auth/same-text';
import { sealedCookie } from '@/server/platform/auth/sealed-cookie';
import { consumeSingleSignOn } from '@/server/platform/auth/sign-in-throttle';
import { safeReturnPath } from '@/server/platform/http/return-path';
import { authorizationRequest, type FlowSecrets } from './oidc-client';

/**
 * One visit to the provider. What belongs to it is in a sealed cookie of the browser that began, so that an answer works in that
 * browser only; the server notes that it was used, so that it works once.
 */

/** What the visit is for. Connecting and confirming belong to a session; joining has the token of an invitation. */
export type FlowPurpose =
  | { kind: 'sign_in' }
  | { kind: 'join'; token: string }
  | { kind: 'connect' | 'confirm'; userId: string; sessionId: string };

interface StoredFlow {
  id: string;
  purpose: FlowPurpose;
  secrets: FlowSecrets;
  /** A path of ours. */
  returnTo: string;
}

export interface Flow extends StoredFlow {
  beganAt: Date;
}

/** Ten minutes for signing in at the provider. */
const flowSeconds = 600;

const flowCookie = sealedCookie<StoredFlow>('sso', flowSeconds);

/** A `Set-Cookie` value that forgets the visit. */
export const clearFlow = () => flowCookie.clear();

/** Begins a visit. @returns the provider's page and the cookie that the answer needs @throws ProviderProblem */
export async function beginFlow(purpose: FlowPurpose, returnTo: string): Promise<{ url: string; cookie: string }> {
  const { url, secrets } = await authorizationRequest(purpose.kind === 'confirm');
  const id = randomBytes(16).toString('base64url');
  return { url, cookie: flowCookie.write({ id, purpose, secrets, returnTo: safeReturnPath(returnTo) }) };
}

/**
 * The visit of this browser that an answer belongs to, and uses it up.
 * @returns null for an answer to another browser, to no visit, to an old one, or that came before
 */
export async function takeFlow(query: string, cookies: string | null): Promise<Flow | null> {
  const found = flowCookie.read(cookies);
  const state = new URLSearchParams(query).get('state');
  if (!found || state === null || !isSameText(state, found.value.secrets.state)) return null;
  if (!(await consumeSingleSignOn(found.value.id))) return null;
  return { ...found.value, beganAt: new Date(found.writtenAt) };
}
