import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { MakingCache } from '@/server/making-cache';
import { oncePerProcess } from '@/server/process-registry';

/** What stands at an address of a blog in one state of it. */
export interface MadePage {
  status: 200 | 308 | 404 | 410;
  headers: Record<string, string>;
  body: string | Buffer;
  /** For how many milliseconds it is right, as long as the blog's state is the same; for ever unless said otherwise. */
  keepFor?: number;
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page ready to be sent, in every encoding. */
export interface ReadyPage {
  status: MadePage['status'];
  /** Without Content-Encoding and Content-Length. */
  headers: Record<string, string>;
  bodies: Record<Encoding, Buffer>;
  etag: string;
  keepFor: number;
}

const cacheBytes = 64 * 1024 * 1024;
/** Below this, headers weigh more than what compression saves. */
const compressFrom = 1_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

function isCompressible({ 'Content-Type': type = '' }: Record<string, string>): boolean {
  return /^text\/|[+/](?:json|xml)\b/.test(type);
}

async function encodings(identity: Buffer, compressible: boolean): Promise<ReadyPage['bodies']> {
  if (!compressible || identity.length < compressFrom) return { identity, gzip: identity, br: identity };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gzipped] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity, { level: 7 })]);
  return { identity, gzip: gzipped, br };
}

async function ready({ status, headers, body, keepFor = Number.POSITIVE_INFINITY }: MadePage): Promise<ReadyPage> {
  const identity = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  return {
    status,
    headers: { ...headers, ETag: etag },
    bodies: await encodings(identity, isCompressible(headers)),
    etag,
    keepFor,
  };
}

function sizeOf({ bodies }: ReadyPage): number {
  return [...new Set(Object.values(bodies))].reduce((size, body) => size + body.length, 512);
}

function cache(): MakingCache<ReadyPage> {
  return oncePerProcess('blog-pages', () => new MakingCache<ReadyPage>({ maximumSize: cacheBytes, sizeOf }));
}

/** There is no page where one was asked for. */
export class NoPage extends Error {
  override name = 'NoPage';
}

/**
 * The page of this key, made where it is not there yet; whoever asks while it is being made waits for that.
 *
 * @param key names the state of the blog as well, so that a page of an older state is never found again
 * @throws NoPage where `make` gives null. That is not kept: there is no end of addresses without a page
 */
export function cachedPage(key: string, make: () => Promise<MadePage | null>): Promise<ReadyPage> {
  const madeReady = async () => {
    const made = await make();
    if (!made) throw new NoPage(key);
    return ready(made);
  };
  return cache().get(key, madeReady, ({ keepFor }) => keepFor);
}
