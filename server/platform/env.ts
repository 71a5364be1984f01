import { existsSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { signInProblems, signInSettings } from './auth/sign-in-settings';
import { filesUrl } from './files/files-url';
import { plans } from './plan';
import { oncePerProcess, setForProcess } from './process-globals';

/** An invalid setting; `message` is the one line shown to the operator. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

function url(protocols: string[], example: string) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL such as ${example}`,
    abort: true,
  });
}

/**
 * Maximum duration of a stop after SHUTDOWN_DRAIN_SECONDS, in milliseconds: 15 s for requests, 15 s for jobs, the rest for the
 * database. The process manager must wait longer (deploy/).
 */
export const stopLimit = 50_000;

/** Maximum of SHUTDOWN_DRAIN_SECONDS. */
export const drainMaximum = 300;

/** The origin of this installation. A path is refused: pages, cookies and links do not support one. */
const publicAddress = url(['http:', 'https:'], 'https://desk.example.com')
  .refine((value) => /^[^:]+:\/\/[^/?#@]+\/*$/.test(value), {
    error: 'must be a scheme and a host, without a path, such as https://desk.example.com: Frontdesk needs a host of its own',
    abort: true,
  })
  .transform((value) => new URL(value).origin);

function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${minimum} to ${maximum}` })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    });
}

const planLimit = z.int().min(-1);

const planLimitsSchema = z.partialRecord(
  z.enum(plans),
  z.strictObject({
    tokens: planLimit.optional(),
    executions: planLimit.optional(),
    mailsPerDay: planLimit.optional(),
    recipientsPerDay: planLimit.optional(),
    storageBytes: planLimit.optional(),
    senderBytesPerDay: planLimit.optional(),
  }),
);

/** Limits by plan, as JSON; omitted ones keep their default. */
const planLimits = z.string().transform((value, context): z.output<typeof planLimitsSchema> => {
  try {
    return planLimitsSchema.parse(JSON.parse(value));
  } catch {
    const message =
      'must be JSON such as {"free": {"tokens": 200000, "executions": 500, "mailsPerDay": 50}}, by plan, of tokens, executions, ' +
      'mailsPerDay, recipientsPerDay, storageBytes and senderBytesPerDay, in whole numbers, -1 for unlimited';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

const mailFrom = z.string().transform((value, context): { email: string; displayName: string | null } => {
  const [, name, bracketed, bare] =
    /^\s*(?:"?([^"<>]*?)"?\s*<([^\s@<>]+@[^\s@<>]+)>|([^\s@<>]+@[^\s@<>]+))\s*$/.exec(value) ?? [];
  const email = bracketed ?? bare;
  if (email) return { email: email.toLowerCase(), displayName: name || null };
  context.addIssue({ code: 'custom', message: 'must be an e-mail address such as desk@example.com or Desk <desk@example.com>' });
  return z.NEVER;
});

/**
 * A non-public destination that user-controlled requests may reach: a host by name, or the addresses that share `bits` with
 * one.
 */
export type AllowedDestination = ({ host: string } | { address: string; bits: number }) & {
  /** Null allows any port. */
  port: number | null;
};

/** Parses `host`, `address`, either with `:port`, or `address/bits`; null for anything else. */
function allowedDestination(entry: string): AllowedDestination | null {
  // Requires four parts: 10.1/16 would be read as 10.0.0.1/16.
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) || ipaddr.IPv6.isValidCIDR(entry)) {
    const [network, bits] = ipaddr.parseCIDR(entry);
    return { address: network.toString(), bits, port: null };
  }
  const bracketed = ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
  const [, name, digits] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d+))?$/i.exec(bracketed) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port === 0 || (port ?? 1) > 65_535 || !URL.canParse(`http://${name ?? ''}`)) return null;
  // Normalised like the host of a URL, which it is compared with: names in ASCII, addresses in one spelling.
  const host = new URL(`http://${name}`).hostname.replace(/\.+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return /^[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(host) ? { host, port } : null;
  const address = ipaddr.process(host);
  return { address: address.toString(), bits: address.kind() === 'ipv4' ? 32 : 128, port };
}

const allowedDestinations = z.string().transform((value, context): AllowedDestination[] => {
  const entries = value.split(',').map((entry) => allowedDestination(entry.trim()));
  const valid = entries.filter((entry) => entry !== null);
  if (valid.length === entries.length) return valid;
  context.addIssue({
    code: 'custom',
    message: 'must be hosts and addresses such as images.internal:8080, 10.1.0.0/16, 127.0.0.1, with commas between',
  });
  return z.NEVER;
});

const addressRange = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i;

/** Addresses and CIDR ranges, or `none`. */
const proxies = z.string().transform((value, context): BlockList => {
  const list = new BlockList();
  for (const entry of value === 'none' ? [] : value.split(',').map((part) => part.trim())) {
    const [, address = '', bits] = addressRange.exec(entry) ?? [];
    const version = isIP(address);
    const width = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? width) > width) {
      context.addIssue({
        code: 'custom',
        message: 'must be none, or addresses such as 10.0.0.7, 10.1.0.0/16, with commas between',
      });
      return z.NEVER;
    }
    list.addSubnet(address, Number(bits ?? width), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
});

/** Addresses of DNS servers, with an optional port. */
const resolvers = z.string().transform((value, context): string[] => {
  const entries = value.split(',').map((entry) => entry.trim());
  const isServer = (entry: string) => {
    const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(entry) ?? [];
    const address = bracketed ?? plain ?? entry;
    return isIP(address) !== 0 && Number(port ?? 53) > 0 && Number(port ?? 53) <= 65_535;
  };
  if (entries.every(isServer)) return entries;
  context.addIssue({ code: 'custom', message: 'must be addresses such as 10.0.0.53 or [fd00::53]:5353, with commas between' });
  return z.NEVER;
});

/** Only this machine: other hosts on the network could send any headers. */
const loopback = '127.0.0.0/8,::1';

const databaseUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database');

/** True if the database is reached through PgBouncer in transaction mode. */
export function isPooled(databaseUrl: string | undefined): boolean {
  return databaseUrl !== undefined && new URL(databaseUrl).searchParams.get('pgbouncer') === 'true';
}

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  /** TCP port of dashboard and API. 0 lets the system choose one. */
  PORT: integer(0, 65_535).default(3000),
  /** Address to listen on. */
  HOST: z.string().min(1).default('0.0.0.0'),
  /** Where browsers reach this installation; decides links, `Secure` cookies and the expected origin. */
  PUBLIC_URL: publicAddress.optional(),
  /** Proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: proxies.default(() => proxies.parse(loopback)),
  /** Seconds between the stop signal and the end of accepting connections; `/readyz` answers 503 in this time. */
  SHUTDOWN_DRAIN_SECONDS: integer(0, drainMaximum).default(0),
  /** Embedded database, generated secrets and uploaded files. */
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((value) => path.resolve(value)),
  /** An S3-compatible store for uploaded files; unset: DATA_DIR. */
  FILES_URL: filesUrl.optional(),
  /** A PostgreSQL 15+ server; unset: the embedded one. `?pgbouncer=true` if it is PgBouncer in transaction mode. */
  DATABASE_URL: databaseUrl.optional(),
  /** The owner of that database, without a pooler between: migrations, backups, locks and notifications; unset: DATABASE_URL. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** Maximum connections of this process. */
  DATABASE_POOL_SIZE: integer(5, 500).default(11),
  /** Signs sessions; unset: generated into DATA_DIR on first start. */
  AUTH_SECRET: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  ...signInSettings,
  /** Requests per second and key; 0 disables the limit. */
  RATE_LIMIT_BURST_PER_SECOND: integer(0, 1_000_000).default(0),
  /** Redis that shares the burst limit between several app servers. */
  REDIS_URL: url(['redis:', 'rediss:'], 'redis://localhost:6379').optional(),
  /** Retention of the audit log in days; 0: for ever. */
  AUDIT_RETENTION_DAYS: integer(0, 36_500).default(365),
  /** Retention of the security log in days. */
  SECURITY_LOG_RETENTION_DAYS: integer(1, 3650).default(90),
  /** Retention of reported usage and of tracked tasks in days; the sums stay. 0: for ever, as for the next three. */
  USAGE_RETENTION_DAYS: integer(0, 36_500).default(400),
  /** Retention of sent and failed mail in the outbox in days; messages of conversations stay. */
  OUTBOX_RETENTION_DAYS: integer(0, 36_500).default(90),
  /** Retention of quarantined mail in days. */
  QUARANTINE_RETENTION_DAYS: integer(0, 36_500).default(90),
  /** Days for which the id of a conversation that was merged into another leads there. */
  MERGED_CONVERSATION_RETENTION_DAYS: integer(0, 36_500).default(365),
  /** Retention of events, deliveries to webhooks and their attempts, in days. */
  EVENT_RETENTION_DAYS: integer(1, 3650).default(30),
  /** Plan limits that replace the defaults. */
  PLAN_LIMITS: planLimits.optional(),
  /** The outgoing mail server; unset: mail waits in the outbox. */
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587')
    .refine((value) => ['required', 'optional', null].includes(new URL(value).searchParams.get('tls')), {
      error: 'must have no tls but ?tls=required or ?tls=optional',
    })
    .optional(),
  /** The sender for identities without their own address, and for account mail. */
  MAIL_FROM: mailFrom.optional(),
  /** TCP port for incoming mail (SMTP); unset: off. 0 lets the system choose one. */
  INBOUND_SMTP_PORT: integer(0, 65_535).optional(),
  /** Certificate (chain) and key in PEM files; they enable STARTTLS for incoming mail. */
  INBOUND_TLS_CERT: z.string().min(1).optional(),
  INBOUND_TLS_KEY: z.string().min(1).optional(),
  /** Lets a mail server submit messages at /api/inbound/email; unset: that address does not exist. */
  INBOUND_SECRET: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  /** Resolvers for the TXT records that prove domains, instead of the system's. */
  DNS_SERVERS: resolvers.optional(),
  /** Non-public destinations that user-controlled requests (an image by URL) may reach. */
  OUTBOUND_ALLOWLIST: allowedDestinations.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Env = z.output<typeof environmentSchema>;

/** Names the missing settings of those that need one another. */
function missingPartners({ INBOUND_TLS_CERT, INBOUND_TLS_KEY, DATABASE_URL, DATABASE_DIRECT_URL }: Env): string[] {
  const problems: string[] = [];
  if ((INBOUND_TLS_CERT === undefined) !== (INBOUND_TLS_KEY === undefined))
    problems.push('INBOUND_TLS_CERT and INBOUND_TLS_KEY must be set together');
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined)
    problems.push('DATABASE_DIRECT_URL is only for a DATABASE_URL');
  if (isPooled(DATABASE_URL) && (DATABASE_DIRECT_URL === undefined || isPooled(DATABASE_DIRECT_URL)))
    problems.push('DATABASE_URL with pgbouncer=true needs a DATABASE_DIRECT_URL without');
  return problems;
}

/**
 * Parses settings; an empty value counts as unset.
 * @throws ConfigurationError naming every bad variable in one line.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const problems = parsed.success
    ? [...missingPartners(parsed.data), ...signInProblems(parsed.data)]
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigurationError(`Configuration: ${problems.join('; ')}.`);
}

function readEnv(): Env {
  const file = path.resolve('.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const defaults = oncePerProcess<Record<string, string>>('env-defaults', () => ({}));
  const given = Object.entries(process.env).filter(([, value]) => value !== '');
  return parseEnv({ ...defaults, ...Object.fromEntries(given) });
}

/** Sets other defaults for a program that is not the product (the demo). Call it before anything else. */
export function setEnvDefaults(defaults: Partial<Record<keyof Env, string>>): void {
  setForProcess('env-defaults', defaults);
}

/** The validated settings of this process, read once. */
export function env(): Env {
  return oncePerProcess('env', readEnv);
}

/** Replaces settings at start-up: the demo's data directory, a generated secret, a test's database. */
export function overrideEnv(changes: Partial<Env>): Env {
  const next = { ...env(), ...changes };
  setForProcess('env', next);
  return next;
}

/** True if browsers reach this installation over https. */
export function isReachedByHttps(): boolean {
  return env().PUBLIC_URL?.startsWith('https:') ?? false;
}

/** The public URL of this installation, without a trailing slash. Once the server listens, PORT is its actual port. */
export function publicUrl(): string {
  const { PUBLIC_URL, PORT } = env();
  return PUBLIC_URL ?? `http://localhost:${PORT}`;
}

/**
 * Sets variables that libraries read directly from `process.env`. next-auth takes its base URL only from there; without a
 * PUBLIC_URL it uses the Host header, so that any name of this machine works.
 */
export function publishEnvForLibraries(): void {
  const { PUBLIC_URL, NODE_ENV } = env();
  if (PUBLIC_URL) process.env.NEXTAUTH_URL = PUBLIC_URL;
  else process.env.AUTH_TRUST_HOST = 'true';
  Object.assign(process.env, { NODE_ENV, NEXT_TELEMETRY_DISABLED: '1' });
}

/** The environment of a child process: what any program needs to run, without our settings or secrets. */
export function environmentForChild(additions: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, NODE_ENV } = process.env;
  return { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, NODE_ENV, ...additions };
}
