import * as z from 'zod';
import type { FieldErrors } from '../platform/errors';

/** Field types that several resources share, and the words in which every schema reports what is wrong. */

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

/** Plain English that reads well after the field's name: "contacts.0.email must be an e-mail address". */
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
 * Reasons by dotted path, all of them at once.
 *
 * @param whole what to call the input itself, where it is wrong as a whole
 */
export function fieldErrorsOf(error: z.core.$ZodError, whole = 'body'): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.') || whole;
    fields[path] ??= issue.message;
  }
  return fields;
}

/** How many characters a person would count: code points, so that an emoji is one and not two. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A string of at most `maximum` characters, counted as people do. */
export function text(maximum: number) {
  return z
    .string()
    .refine((value) => value.length <= maximum || characterCount(value) <= maximum, {
      error: `must have at most ${maximum} characters`,
    })
    .meta({ maxLength: maximum });
}

/** As `text`, and something must be in it that people can see: no white space, control or format characters alone. */
export function requiredText(maximum: number) {
  return text(maximum).refine((value) => /[^\p{Z}\p{C}]/u.test(value), { error: 'must not be empty' });
}

/** A web address, as browsers and mail programs can follow it. */
export const webAddress = text(2048).refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
  error: 'must be a URL that starts with http:// or https://',
});

/** A UUID of any version, in the notation of RFC 9562. */
export const uuid = z.guid();

/** Times leave the service in UTC with millisecond precision. */
export const timestamp = z.iso.datetime().meta({ examples: ['2026-11-21T09:30:00.000Z'] });

/**
 * A point in time as ISO 8601 in UTC; undefined for one that no calendar of four-digit years has.
 *
 * @param text ISO 8601, with `Z` or an offset
 */
function utcOf(text: string): string | undefined {
  // As it will be written anyway, which is how the API itself gives times, and so how they mostly come back.
  if (text.length === ownForm.length && text.endsWith('Z') && !text.startsWith('0000')) return text;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined;
}

const ownForm = '2026-11-21T09:30:00.000Z';

/** A pattern of its own is a fifth of the cost of a schema, and lists and availability have two times in each request. */
const dateTime = z.regexes.datetime({ offset: true });

/**
 * ISO 8601 as programs write it, in its full form: seconds may be missing, and the colon of the offset; a plus sign that was not encoded
 * in a query has become a space.
 */
function fullForm(text: string): string {
  const [, date, minutes, seconds = ':00', sign, hours, rest] =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:[zZ]|([+ -])(\d\d):?(\d\d))$/.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date}T${minutes}${seconds}${sign === undefined ? 'Z' : `${sign === ' ' ? '+' : sign}${hours}:${rest}`}`;
}

/** A time with an offset, as people and programs send it; in UTC from here on. */
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

/** An e-mail address; surrounding white space is dropped and letters become lower-case, which is how it is stored. */
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
      .meta({ description: `How many to return, 1 to ${options.maximumLimit}.` }),
    offset: z.int().min(0).max(2_147_483_647).default(0).meta({ description: 'How many to skip.' }),
  };
}

/** The answer of operations that have nothing else to say. */
export const successSchema = z.object({ success: z.literal(true) });
