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

/** What of an error is worth keeping: drivers hang whole connections, with everything on them, on theirs. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

let second = Number.NaN;
let beginningOfLine = '';

/** When a line is written, as pino wants it. All but the milliseconds is made once a second: a thousand requests have it in common. */
function timeOfLine(): string {
  const now = Date.now();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    beginningOfLine = `,"time":"${new Date(current * 1000).toISOString().slice(0, -'000Z'.length)}`;
  }
  return `${beginningOfLine}${String(now % 1000).padStart(3, '0')}Z"`;
}

/**
 * The process' log: one JSON object a line on stderr, secrets redacted wherever they stand up to two levels deep.
 * Nothing user-typed beyond paths and ids is logged in the first place.
 */
export function log(): Logger {
  return oncePerProcess('log', () => {
    const destination = pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 500 });
    // Whoever read the log has gone; that is no reason to stop serving.
    destination.on('error', () => undefined);
    return pino(
      {
        level: env().LOG_LEVEL,
        serializers: { err: describeError },
        redact: {
          paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
          censor: '[redacted]',
        },
        timestamp: timeOfLine,
      },
      destination,
    );
  });
}

/**
 * The same log for lines that consist of nothing but fields chosen in our own code: no secrets are looked for, which would cost six
 * times as much as writing the line. For the line that every request gets.
 */
export function requestLog(): Logger {
  return oncePerProcess('request-log', () => log().child({}, { redact: [] }));
}
