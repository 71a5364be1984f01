import { isIP } from 'node:net';
import * as z from 'zod';

/** Settings of how people sign in: a password, or an OpenID Connect provider (docs/adr/0028). */

/** Roles in which somebody may join by single sign-on; owners are named by people. */
const joinRoles = ['viewer', 'member', 'admin'] as const;

/** The business that people of the provider join at their first sign-in, and their role in it. */
export interface AutoJoin {
  handle: string;
  role: (typeof joinRoles)[number];
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** https, or http on this machine: tokens and the client's secret go there. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}

const domainPattern = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/;

const domains = z.string().transform((value, context): string[] => {
  const entries = value.split(',').map((entry) => entry.trim().toLowerCase());
  if (entries.every((entry) => domainPattern.test(entry))) return entries;
  context.addIssue({ code: 'custom', message: 'must be domains such as example.com, example.org, with commas between' });
  return z.NEVER;
});

/** As in identity.schema.ts, which the platform can't import. */
const handlePattern = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

const autoJoin = z.string().transform((value, context): AutoJoin | null => {
  if (value === 'off') return null;
  const [handle = '', given = 'member', ...rest] = value.split(':');
  const role = joinRoles.find((known) => known === given);
  if (role && rest.length === 0 && handlePattern.test(handle)) return { handle, role };
  context.addIssue({
    code: 'custom',
    message: 'must be off, or the handle of a business and a role such as quark-labs:member; roles are viewer, member and admin',
  });
  return z.NEVER;
});

export const signInSettings = {
  /** The OpenID Connect provider, by its issuer identifier; unset: no single sign-on. */
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: 'must be an https URL such as https://id.example.com (http only on this machine)' })
    .optional(),
  /** What the provider knows this installation as. */
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).max(5000).optional(),
  /** Only accounts of the provider with a verified e-mail address of these domains may sign in; empty: all. */
  OIDC_ALLOWED_DOMAINS: domains.default([]),
  /** Who is unknown joins this business; null: nobody joins without an invitation. */
  OIDC_AUTO_JOIN: autoJoin.default(null),
  /** With `off`, a password signs in only owners, together with a recovery code. */
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
};

interface SignInSettings {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_ALLOWED_DOMAINS: string[];
  OIDC_AUTO_JOIN: AutoJoin | null;
  PASSWORD_SIGN_IN: 'on' | 'off';
  PUBLIC_URL?: string | undefined;
}

/** True if people can sign in without a password. Every way that is added has its term here. */
function hasOtherSignIn({ OIDC_ISSUER, PUBLIC_URL }: SignInSettings): boolean {
  return OIDC_ISSUER !== undefined || (PUBLIC_URL !== undefined && isPasskeyAddress(PUBLIC_URL));
}

/** True if browsers allow passkeys at this address: they need https and a host name, or localhost. */
export function isPasskeyAddress(url: string): boolean {
  const { hostname, protocol } = new URL(url);
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0);
}

/** What is wrong with these settings together, for the operator. */
export function signInProblems(settings: SignInSettings): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ALLOWED_DOMAINS, OIDC_AUTO_JOIN, PASSWORD_SIGN_IN } = settings;
  const problems: string[] = [];
  const set = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((value) => value !== undefined).length;
  if (set !== 0 && set !== 3) problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  if (set === 0 && (OIDC_ALLOWED_DOMAINS.length > 0 || OIDC_AUTO_JOIN))
    problems.push('OIDC_ALLOWED_DOMAINS and OIDC_AUTO_JOIN need an OIDC_ISSUER');
  if (OIDC_AUTO_JOIN && OIDC_ALLOWED_DOMAINS.length === 0)
    problems.push('OIDC_AUTO_JOIN needs OIDC_ALLOWED_DOMAINS, otherwise everybody whom the provider knows could join');
  if (PASSWORD_SIGN_IN === 'off' && !hasOtherSignIn(settings))
    problems.push(
      'PASSWORD_SIGN_IN=off needs another way to sign in: OIDC_ISSUER, or passkeys, for which PUBLIC_URL must be https with a host name',
    );
  return problems;
}
