import { type Bodies, encodings, sizeOfBodies } from '@/server/platform/http/encodings';
import { weakEtag } from '@/server/platform/http/if-none-match';
import { LoadingCache } from '@/server/platform/loading-cache';
import { oncePerProcess } from '@/server/platform/process-globals';

/** A page rendered from one version of a blog. */
export interface MadePage {
  status: 200 | 308 | 404 | 410;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Validity in milliseconds while the blog's version is unchanged; unlimited by default. */
  keepFor?: number;
}

/** A page ready to be sent, in every encoding. */
export interface ReadyPage {
  status: MadePage['status'];
  /** Without Content-Encoding and Content-Length. */
  headers: Record<string, string>;
  bodies: Bodies;
  etag: string;
  keepFor: number;
}

const cacheBytes = 64 * 1024 * 1024;
function isCompressible({ 'Content-Type': type = '' }: Record<string, string>): boolean {
  return /^text\/|[+/](?:json|xml)\b/.test(type);
}

async function ready({ status, headers, body, keepFor = Number.POSITIVE_INFINITY }: MadePage): Promise<ReadyPage> {
  const identity = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = weakEtag(identity);
  return {
    status,
    headers: { ...headers, ETag: etag },
    bodies: await encodings(identity, { compressible: isCompressible(headers) }),
    etag,
    keepFor,
  };
}

function cache(): LoadingCache<ReadyPage> {
  return oncePerProcess(
    'blog-pages',
    () => new LoadingCache<ReadyPage>({ maximumSize: cacheBytes, sizeOf: ({ bodies }) => sizeOfBodies(bodies) }),
  );
}

/** Thrown if there is no page to cache. */
export class NoPage extends Error {
  override name = 'NoPage';
}

/**
 * The page of this key, rendered on a cache miss; concurrent requests share the rendering.
 *
 * @param key includes the blog's version, so that a page of an older version is never found
 * @throws NoPage if `make` resolves to null. That is not cached: the number of URLs without a page is unlimited
 */
export function cachedPage(key: string, make: () => Promise<MadePage | null>): Promise<ReadyPage> {
  const madeReady = async () => {
    const made = await make();
    if (!made) throw new NoPage(key);
    return ready(made);
  };
  return cache().get(key, madeReady, ({ keepFor }) => keepFor);
}
