import { hostname } from 'node:os';
import pino, { type Logger } from 'pino';
import { env } from './env';
import { oncePerProcess } from './process-globals';

const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'recoveryCodes',
  'token',
  'key',
  'secret',
];

/** The useful fields of an error: drivers attach whole connections with all their state. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

let second = Number.NaN;
let timestampPrefix = '';

/** A line's timestamp in pino's format. Everything but the milliseconds is cached for a second. */
function timeOfLine(): string {
  const now = Date.now();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    timestampPrefix = `,"time":"${new Date(current * 1000).toISOString().slice(0, -'000Z'.length)}`;
  }
  return `${timestampPrefix}${String(now % 1000).padStart(3, '0')}Z"`;
}

interface Logging {
  logger: Logger;
  destination: { write(line: string): unknown };
  /** What every line has besides its own fields, as pino writes it. */
  common: string;
}

function logging(): Logging {
  return oncePerProcess('log', () => {
    const destination = pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 500 });
    // The log's reader has gone; keep serving.
    destination.on('error', () => undefined);
    const base = { pid: process.pid, hostname: hostname() };
    const logger = pino(
      {
        level: env().LOG_LEVEL,
        base,
        serializers: { err: describeError },
        redact: {
          paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
          censor: '[redacted]',
        },
        timestamp: timeOfLine,
      },
      destination,
    );
    return { logger, destination, common: fieldsOf(base) };
  });
}

/** Fields of a line that has others as well. */
function fieldsOf(fields: object): string {
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}

/**
 * The process-wide log: one JSON object per line on stderr, with secrets redacted up to two levels deep. User input beyond
 * paths and ids is not logged in the first place.
 */
export function log(): Logger {
  return logging().logger;
}

interface RequestLine {
  requestId: string;
  ownRequestId?: unknown;
  method: string | undefined;
  path: string;
  status: number;
  /** Until the response was sent, in milliseconds. */
  ms: number;
}

/** Writes the line of a request. It has only fields chosen by our own code, so nothing is redacted: that costs more than all the rest. */
export function logRequest(line: RequestLine): void {
  const { logger, destination, common } = logging();
  if (!logger.isLevelEnabled('info')) return;
  destination.write(`{"level":30${timeOfLine()}${common}${fieldsOf(line)},"msg":"request"}\n`);
}
