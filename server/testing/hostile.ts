import fc from 'fast-check';
import { filledPath, queryText, type Target, type ValidRequest, validRequests } from './fuzzing';
import { huge, malformed, mutated } from './hostile-bodies';
import type { Call } from './rest';

/** Malformed and hostile requests: each is a valid one, changed in one or several ways. */

export interface HostileRequest {
  method: string;
  /** As sent. */
  pathname: string;
  query: string;
  headers: Record<string, string>;
  /** Null for none. */
  body: string | Uint8Array | null;
}

const headerSets: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc
    .constantFrom(
      ...[
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        '',
        'application/json; charset=utf-16',
      ],
      ...[
        'application/merge-patch+json',
        'application/vnd.api+json',
        'APPLICATION/JSON',
        'application/json;;;',
        ';',
        'x'.repeat(2000),
      ],
    )
    .map((type) => ({ 'content-type': type })),
  fc
    .constantFrom('gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'nonsense')
    .map((coding) => ({ 'content-encoding': coding })),
  fc.constantFrom('text/html', 'application/xml', '*/*;q=0', '', 'image/*').map((accept) => ({ accept })),
  fc
    .constantFrom('gzip', 'br', 'gzip;q=0, *', 'identity;q=0', 'zstd', ';;;', '*;q=x')
    .map((coding) => ({ 'accept-encoding': coding })),
  fc.constantFrom('', 'two words', 'x'.repeat(256), 'a,b', '"quoted"', '\u00fc').map((key) => ({ 'idempotency-key': key })),
  fc.uuid().map((key) => ({ 'idempotency-key': key })),
  fc
    .constantFrom('"x"', 'x', '*', 'W/"x"', '"', ',,,', '', '"x", *', `"${'x'.repeat(4000)}"`)
    .map((tag) => ({ 'if-match': tag })),
  fc.constantFrom('"x"', '*', 'W/', ',', '').map((tag) => ({ 'if-none-match': tag })),
  fc
    .constantFrom('DELETE', 'GET', 'nonsense')
    .map((method) => ({ 'x-http-method-override': method, 'x-method-override': method })),
  fc.constantFrom('x', '../../etc', '<b>', 'x'.repeat(500), 'a b').map((id) => ({ 'x-request-id': id })),
  fc
    .constantFrom('bytes=0-1', 'bytes=-1', 'x')
    .map((range) => ({ range, 'if-modified-since': 'never', 'if-unmodified-since': '0' })),
  fc
    .constantFrom('evil.example', '', 'a b')
    .map((host) => ({ host, 'x-forwarded-host': host, 'x-forwarded-for': '::1, x', origin: 'null' })),
  fc.constantFrom('chunked').map((coding) => ({ 'transfer-encoding': coding })),
  fc
    .constantFrom('Bearer', 'Bearer  ', 'Basic eDp4', 'Bearer sk_live_x', 'x'.repeat(3000))
    .map((authorization) => ({ authorization })),
);

const wildSegments = fc.oneof(
  fc.constantFrom(
    'not-an-id',
    '0',
    '-1',
    'null',
    '%',
    '%00',
    '%2e%2e',
    '%2F',
    '..%2f..',
    '%ff',
    '%C0%80',
    '%ED%A0%80',
    '%E2%80%AE',
    '.',
    '..',
    "'",
    '*',
  ),
  fc.constantFrom(
    '',
    '%20',
    'a'.repeat(3000),
    '%F0%9F%98%80',
    '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
    '0199F3B2-6C1E-7A40-9A3E-0C1F2D3E4F50',
  ),
  fc.constantFrom(
    '{0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50}',
    '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50%0a',
    '0199f3b26c1e7a409a3e0c1f2d3e4f50',
  ),
  fc.uuid(),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

/** Queries beyond the documented ones: each parameter of the operation, and others. */
function wildQueries({ operation }: Target, sound: string): fc.Arbitrary<string> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(...names, 'limit', 'identityId', '__proto__', 'unknown', '');
  const raw = fc.oneof(
    fc.constantFrom(
      '',
      '%00',
      '%',
      '%zz',
      '%ff',
      '%ED%A0%80',
      '+',
      '-1',
      '0',
      '1e3',
      '0x10',
      '1.5',
      '99999999999999999999',
      'NaN',
      'true',
      'TRUE',
    ),
    fc.constantFrom(
      '[]',
      '{}',
      "'",
      '%F0%9F%98%80',
      '%E2%80%AE',
      'a'.repeat(5000),
      '2026-11-24',
      '2026-02-30',
      '2026-11-24T09:00:00Z',
      '%EF%BF%BD',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const one = fc.tuple(name, raw).map(([key, value]) => `${encodeURIComponent(key)}=${value}`);
  return fc.oneof(
    fc.array(one, { minLength: 1, maxLength: 3 }).map((parts) => [...(sound === '' ? [] : [sound]), ...parts].join('&')),
    fc.constantFrom(`${sound}&${sound}`, '&&&', '=', '?', '%', `${sound}&a[]=1&a[b]=2`, `x=${'y'.repeat(6000)}`, ';'),
    fc.constantFrom(...names, 'limit').map((key) => `${key}`),
  );
}

/** `sound` in most cases, else one of `others`. */
const mostly = <T>(sound: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(sound) }, { weight: 2, arbitrary: others });

const otherMethods = fc.constantFrom(
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'POST',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
);

function malformedRequest(target: Target, { query, body }: ValidRequest): fc.Arbitrary<HostileRequest> {
  const { operation, parameters } = target;
  const sound = body === undefined ? null : JSON.stringify(body);
  const bodies: fc.Arbitrary<string | Uint8Array | null> = fc.oneof(
    { weight: 60, arbitrary: mutated(body).map((value) => JSON.stringify(value) ?? null) },
    { weight: 30, arbitrary: malformed(sound ?? '{"a":1}') },
    { weight: 1, arbitrary: huge },
  );
  const names = Object.keys(parameters);
  const path = fc
    .tuple(...names.map((name) => mostly(parameters[name] ?? '', wildSegments)))
    .map((values) => filledPath(target, Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))));
  const tail = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    fc.constantFrom('/', '//', '/..', '/%2e%2e', '.json', '#x', '%', '/x', ';x'),
  );
  return fc.record({
    method: fc.oneof({ weight: 12, arbitrary: fc.constant(operation.method) }, { weight: 1, arbitrary: otherMethods }),
    pathname: fc.tuple(path, tail).map(([own, more]) => own + more),
    query: mostly(queryText(query), wildQueries(target, queryText(query))),
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: headerSets },
      { weight: 1, arbitrary: fc.tuple(headerSets, headerSets).map(([a, b]) => ({ ...a, ...b })) },
    ),
    body: operation.body
      ? fc.oneof({ weight: 4, arbitrary: bodies }, fc.constant(sound))
      : fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, bodies),
  });
}

/** Requests to an operation with some error; a few happen to be valid. */
export function hostileRequests(target: Target): fc.Arbitrary<HostileRequest> {
  return validRequests(target).chain((valid) => malformedRequest(target, valid));
}

/** In the format of `withHttpServer`'s client. */
export function callOf({ headers, body }: HostileRequest, key: string): Call {
  // Header values are bytes; characters beyond Latin-1 can't be sent.
  const type = body === null || 'content-type' in headers ? {} : { 'content-type': 'application/json' };
  const own = { ...type, ...headers };
  return { ...('authorization' in own ? {} : { key }), headers: own, ...(body === null ? {} : { body }) };
}
