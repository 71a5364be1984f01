import * as z from 'zod';
import type { FieldErrors } from '../platform/errors';
import { offsetMaximum } from './paging.limits';

/** Field types that several resources share, and the error messages of all schemas. */

const typeNames: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  date: 'must be a date',
};

const formatNames: Record<string, string> = {
  email: 'must be an e-mail address',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be an ISO 8601 time with an offset, such as 2026-11-21T09:30:00Z',
  date: 'must be a date such as 2026-11-21',
};

type RawIssue = Parameters<NonNullable<ReturnType<typeof z.config>['customError']>>[0];

function tooSmall(issue: Extract<RawIssue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') {
    return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} characters`;
  }
  if (issue.origin === 'array') {
    return issue.minimum === 1 ? 'must have at least one item' : `must have at least ${issue.minimum} items`;
  }
  return issue.inclusive === false ? `must be more than ${issue.minimum}` : `must be at least ${issue.minimum}`;
}

function tooBig(issue: Extract<RawIssue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.origin === 'array') return `must have at most ${issue.maximum} items`;
  return `must be at most ${issue.maximum}`;
}

/** A message that reads well after the field's name: "contacts.0.email must be an e-mail address". */
function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : typeNames[issue.expected];
    case 'too_small':
      return tooSmall(issue as Extract<RawIssue, { code: 'too_small' }>);
    case 'too_big':
      return tooBig(issue as Extract<RawIssue, { code: 'too_big' }>);
    case 'invalid_format':
      return formatNames[issue.format] ?? 'has the wrong form';
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of: ${issue.values.join(', ')}`;
    default:
      return undefined;
  }
}

z.config({ customError: describeIssue });
// Compiling validators with `new Function` would need `unsafe-eval` in the browser's content security policy.
if (typeof window !== 'undefined') z.config({ jitless: true });

/**
 * All reasons by dotted path.
 * @param whole name of the input itself, for errors without a path
 */
export function fieldErrorsOf(error: z.core.$ZodError, whole = 'body'): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.') || whole;
    fields[path] ??= issue.message;
  }
  return fields;
}

/** Characters as a person counts them: code points, so that an emoji counts as one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A string of at most `maximum` characters (code points). */
export function text(maximum: number) {
  return z
    .string()
    .refine((value) => value.length <= maximum || characterCount(value) <= maximum, {
      error: `must have at most ${maximum} characters`,
    })
    .meta({ maxLength: maximum });
}

/** Like `text`, but must contain a visible character, not only white space, control or format characters. */
export function requiredText(maximum: number) {
  return text(maximum).refine((value) => /[^\p{Z}\p{C}]/u.test(value), { error: 'must not be empty' });
}

/** A web address that browsers and mail programs can open. */
export const webAddress = text(2048).refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
  error: 'must be a URL that starts with http:// or https://',
});

/** Looks for a character that is not allowed, since expressions that match megabytes can overflow the stack. */
function isBase64(value: string): boolean {
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return value.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(value.slice(0, value.length - padding));
}

/** Bytes in base64 (RFC 4648, section 4). */
export function base64(description: string) {
  return z.string().min(1).refine(isBase64, { error: 'must be base64 (RFC 4648, section 4)' }).meta({ description });
}

/** Maximum body of a request with a file in base64, which turns three bytes into four characters. */
export function base64BodyMaximum(fileBytes: number): number {
  return Math.ceil((fileBytes * 4) / 3) + 4_096;
}

/** A UUID of any version, in the notation of RFC 9562. */
export const uuid = z.guid();

/** Of a record in responses (docs/adr/0034). */
export const revision = z.int().meta({ description: 'Raised by every change of the record.', examples: [3] });

/**
 * Id of a record in responses; inputs use `uuid`. The form of ids and times is not checked in responses, as it is that of their columns:
 * checking each row took 18 % of a list's CPU time.
 */
export const recordId = z.string().meta({ format: 'uuid' });

/** Times in responses are in UTC with millisecond precision. */
export const timestamp = z.string().meta({ format: 'date-time', pattern: 'Z$', examples: ['2026-11-21T09:30:00.000Z'] });

/**
 * A point in time as ISO 8601 in UTC; undefined outside the four-digit years.
 * @param text ISO 8601, with `Z` or an offset
 */
function utcOf(text: string): string | undefined {
  // Already in our own output format, which most clients send back.
  if (text.length === ownForm.length && text.endsWith('Z') && !text.startsWith('0000')) return text;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined;
}

const ownForm = '2026-11-21T09:30:00.000Z';

/**
 * One shared pattern: building it is a fifth of the cost of a schema, and lists and availability have two times in each
 * request.
 */
const dateTime = z.regexes.datetime({ offset: true });

/**
 * Normalises ISO 8601 to its full form: adds missing seconds and the offset's colon, and restores a plus sign that an unencoded
 * query turned into a space.
 */
function fullForm(text: string): string {
  const [, date, minutes, seconds = ':00', sign, hours, rest] =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:[zZ]|([+ -])(\d\d):?(\d\d))$/.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date}T${minutes}${seconds}${sign === undefined ? 'Z' : `${sign === ' ' ? '+' : sign}${hours}:${rest}`}`;
}

/** A time with an offset, converted to UTC. */
export const instant = z
  .string()
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const full = fullForm(text);
    const isTime = dateTime.test(full);
    const time = isTime ? utcOf(full) : undefined;
    if (time !== undefined) return time;
    const message = isTime ? 'must be in the years 1 to 9999' : formatNames.datetime;
    context.addIssue({ code: 'custom', message: message ?? '' });
    return z.NEVER;
  });

/** A time with an offset, or a date, which means 00:00 UTC of that day. */
export const instantOrDate = z.union(
  [
    z.iso
      .date()
      .transform((date) => `${date}T00:00:00Z`)
      .pipe(instant),
    instant,
  ],
  {
    error: 'must be a date such as 2026-11-21, or an ISO 8601 time with an offset',
  },
);

/** The HTML standard's form of an address (a practical subset of RFC 5322), with a dotted domain. */
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** An e-mail address; surrounding white space is removed and letters are lower-cased, as stored. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine((value) => emailPattern.test(value), { error: 'must be an e-mail address' })
  .meta({ format: 'email', examples: ['ann@quark.example'] });

/** `limit` and `offset` of a list. Out of range is an error, never clamped (contract section 2). */
export function paging(options: { defaultLimit: number; maximumLimit: number }) {
  return {
    limit: z
      .int()
      .min(1)
      .max(options.maximumLimit)
      .default(options.defaultLimit)
      .meta({ description: `Page size, 1 to ${options.maximumLimit}.` }),
    ...place,
  };
}

/** Where a page of a list begins. */
export const place = {
  offset: z
    .int()
    .min(0)
    .max(offsetMaximum, `must be at most ${offsetMaximum}: use \`cursor\` to go on`)
    .default(0)
    .meta({ description: 'Number of records to skip. New and deleted records shift later pages; `cursor` avoids that.' }),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same filters; instead of `offset`.' }),
};

/** The `cursor` of the next page. */
export const nextCursor = z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last.' });

/** The result of operations without other output. */
export const successSchema = z.object({ success: z.literal(true) });
