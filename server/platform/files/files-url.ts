import * as z from 'zod';

/** A bucket of an S3-compatible store, as FILES_URL names it. */
export interface ObjectStoreSettings {
  /** Scheme, host and port. */
  endpoint: string;
  bucket: string;
  /** Before the name of each file; empty, or ends with a slash. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const example = 's3://ACCESS_KEY:SECRET@s3.example.com/bucket/prefix?region=eu-central-1';

/** @throws Error if it is none */
function parse(value: string): ObjectStoreSettings {
  const url = new URL(value);
  const options = Object.fromEntries(url.searchParams);
  const { region = 'us-east-1', tls = 'on', ...unknown } = options;
  const [, bucket = '', prefix = ''] = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/+([\w./-]*))?$/.exec(url.pathname) ?? [];
  const segments = prefix.split('/').filter((segment) => segment !== '');
  const isValid =
    url.protocol === 's3:' &&
    bucket !== '' &&
    url.username !== '' &&
    url.password !== '' &&
    url.hash === '' &&
    /^[a-z0-9-]+$/.test(region) &&
    (tls === 'on' || tls === 'off') &&
    Object.keys(unknown).length === 0;
  if (!isValid) throw new Error('invalid');
  return {
    endpoint: new URL(`${tls === 'on' ? 'https' : 'http'}://${url.host}`).origin,
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    region,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}

/** FILES_URL. The message does not repeat the value, which holds a secret. */
export const filesUrl = z.string().transform((value, context): ObjectStoreSettings => {
  try {
    return parse(value);
  } catch {
    const message = `must be a URL such as ${example}, with ?tls=off for a store without TLS, and with / and other special characters of key and secret percent-encoded (%2F)`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});
