import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { oncePerProcess } from '@/server/process-registry';

/** What stands at an address of a blog in one state of it. */
export interface MadePage {
  status: 200 | 308 | 404 | 410;
  headers: Record<string, string>;
  body: string | Buffer;
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page ready to be sent, in every encoding. */
export interface ReadyPage {
  status: MadePage['status'];
  /** Without Content-Encoding and Content-Length. */
  headers: Record<string, string>;
  bodies: Record<Encoding, Buffer>;
  etag: string;
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

async function ready({ status, headers, body }: MadePage): Promise<ReadyPage> {
  const identity = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  return { status, headers: { ...headers, ETag: etag }, bodies: await encodings(identity, isCompressible(headers)), etag };
}

function sizeOf({ bodies }: ReadyPage): number {
  return [...new Set(Object.values(bodies))].reduce((size, body) => size + body.length, 512);
}

interface Cache {
  pages: LRUCache<string, ReadyPage>;
  underWay: Map<string, Promise<ReadyPage>>;
}

function cache(): Cache {
  return oncePerProcess('blog-pages', () => ({
    pages: new LRUCache<string, ReadyPage>({ maxSize: cacheBytes, sizeCalculation: sizeOf }),
    underWay: new Map(),
  }));
}

/**
 * The page of this key, made where it is not there yet; whoever asks while it is being made waits for that. What is not there (404) is
 * never kept: there is no end of addresses without a page.
 *
 * @param key names the state of the blog as well, so that a page of an older state is never found again
 */
export async function cachedPage(key: string, make: () => Promise<MadePage>): Promise<ReadyPage> {
  const { pages, underWay } = cache();
  const found = pages.get(key) ?? underWay.get(key);
  if (found) return found;
  const making = make().then(ready);
  underWay.set(key, making);
  try {
    const page = await making;
    if (page.status !== 404) pages.set(key, page);
    return page;
  } finally {
    underWay.delete(key);
  }
}
