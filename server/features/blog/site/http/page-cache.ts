import { createHash } from 'node:crypto';
import { type Bodies, encodings, sizeOfBodies } from '@/server/platform/http/encodings';
import { LoadingCache } from '@/server/platform/loading-cache';
import { oncePerProcess } from '@/server/platform/process-globals';

/** What stands at an address of a blog in one state of it. */
export interface MadePage {
  status: 200 | 308 | 404 | 410;
  headers: Record<string, string>;
  body: string | Buffer;
  /** For how many milliseconds it is right, as long as the blog's state is the same; for ever unless said otherwise. */
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
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
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
