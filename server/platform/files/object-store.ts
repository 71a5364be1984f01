import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ConfigurationError } from '../env';
import { log } from '../log';
import { oncePerProcess } from '../process-globals';
import { DamagedFile, type FileStore, graceMilliseconds, isHash, type Referenced } from './file-store';
import type { ObjectStoreSettings } from './files-url';
import { filesUnavailable, S3Client, S3Failure, type S3Limits } from './s3-client';
import { type ListedObject, readListing } from './s3-xml';

/**
 * Appended to the name of a file that the sweep has set aside. S3 can't remove a file only if it has not been stored again in the
 * same moment; so a copy stays for a day, is read where the file itself is gone, and becomes the file again if a row names it.
 */
const asideSuffix = '.removed';

/** An object of ours: a file, or one set aside. */
interface Entry extends ListedObject {
  sha256: string;
  isAside: boolean;
}

/** Files in a bucket of an S3-compatible store. */
export class ObjectStore implements FileStore {
  readonly #client: S3Client;
  readonly #settings: ObjectStoreSettings;

  constructor(settings: ObjectStoreSettings, limits?: Partial<S3Limits>) {
    this.#settings = settings;
    this.#client = new S3Client(settings, limits);
  }

  async put(temporary: string, { sha256, size }: { sha256: string; size: number }): Promise<void> {
    const body = { sha256, size, open: () => createReadStream(temporary) };
    const headers = { 'content-type': 'application/octet-stream' };
    await this.#client.request({ method: 'PUT', key: this.#key(sha256), headers, body }, [200]);
    await rm(temporary, { force: true });
  }

  async open(sha256: string): Promise<{ size: number; stream: Readable } | null> {
    const found =
      (await this.#client.download(this.#key(sha256))) ?? (await this.#client.download(this.#key(sha256) + asideSuffix));
    if (!found) return null;
    const stream = Readable.from(verified(sha256, found), { objectMode: false });
    stream.once('close', () => found.stream.destroy());
    return { size: found.size, stream };
  }

  async list(folder: string): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const page of this.#pages(`${folder}/`)) for (const { sha256, size } of page) sizes.set(sha256, size);
    return sizes;
  }

  async remove(sha256: string): Promise<void> {
    for (const key of [this.#key(sha256), this.#key(sha256) + asideSuffix]) await this.#delete(key);
  }

  async sweep(referenced: Referenced, now: number): Promise<number> {
    let removed = 0;
    // The listing still has the earlier copy of one that was set aside before it came up.
    let lastSetAside = '';
    for await (const page of this.#pages('')) {
      const entries = page.filter(({ isAside, modifiedAt }) => isAside || now - modifiedAt >= graceMilliseconds);
      const named = entries.length > 0 ? await referenced(entries.map(({ sha256 }) => sha256)) : new Set<string>();
      for (const entry of entries) {
        if (entry.isAside && entry.sha256 === lastSetAside) continue;
        if (entry.isAside) await this.#settle(entry, named.has(entry.sha256), now);
        else if (!named.has(entry.sha256) && (await this.#setAside(entry))) {
          removed++;
          lastSetAside = entry.sha256;
        }
      }
    }
    return removed;
  }

  /**
   * Checks that the bucket can be used.
   * @throws ConfigurationError in one line if the store refuses; AppError unavailable if it is away
   */
  async check(): Promise<void> {
    const { endpoint, bucket, prefix } = this.#settings;
    const query = { 'list-type': '2', 'max-keys': '1', prefix };
    try {
      readListing((await this.#client.request({ method: 'GET', key: '', query }, [200], 1)).text);
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (cause instanceof S3Failure && cause.isTemporary) throw error;
      const reason = cause instanceof S3Failure ? (cause.code ?? `status ${cause.status}`) : (cause as Error).message;
      throw new ConfigurationError(`FILES_URL: can't use the bucket ${bucket} at ${endpoint}: ${reason}.`, { cause });
    }
  }

  #key(sha256: string): string {
    return `${this.#settings.prefix}${sha256.slice(0, 2)}/${sha256}`;
  }

  /** Null for an object that is not ours. */
  #entryOf(object: ListedObject): Entry | null {
    const [sha256 = '', rest] = object.key.slice(object.key.lastIndexOf('/') + 1).split(asideSuffix);
    const entry = { ...object, sha256, isAside: rest === '' };
    return isHash(sha256) && object.key === this.#key(sha256) + (entry.isAside ? asideSuffix : '') ? entry : null;
  }

  /** The entries below a folder, page by page. */
  async *#pages(folder: string): AsyncGenerator<Entry[]> {
    const prefix = this.#settings.prefix + folder;
    let token: string | null = null;
    do {
      const query = { 'list-type': '2', prefix, ...(token === null ? {} : { 'continuation-token': token }) };
      const { text } = await this.#client.request({ method: 'GET', key: '', query }, [200]);
      const { objects, next } = readPage(text);
      yield objects.map((object) => this.#entryOf(object)).filter((entry) => entry !== null);
      token = next;
    } while (token !== null);
  }

  async #delete(key: string): Promise<void> {
    await this.#client.request({ method: 'DELETE', key }, [200, 204, 404]);
  }

  /** @returns false if there is no such object, or it has been stored again since `unchangedSince` */
  async #copy(from: string, to: string, unchangedSince?: number): Promise<boolean> {
    const headers: Record<string, string> = { 'x-amz-copy-source': `/${this.#settings.bucket}/${from}` };
    if (unchangedSince !== undefined) {
      headers['x-amz-copy-source-if-unmodified-since'] = new Date(unchangedSince).toUTCString();
    }
    const { status, text } = await this.#client.request({ method: 'PUT', key: to, headers }, [200, 404, 412]);
    if (status !== 200) return false;
    // A copy may fail after its status was sent.
    if (text.includes('<CopyObjectResult')) return true;
    throw filesUnavailable(new S3Failure(`PUT ${to}: the copy failed`, status));
  }

  async #setAside({ key, modifiedAt }: Entry): Promise<boolean> {
    // Times in headers have whole seconds.
    if (!(await this.#copy(key, key + asideSuffix, Math.ceil(modifiedAt / 1000) * 1000))) return false;
    await this.#delete(key);
    return true;
  }

  /** Makes a file that was set aside the file again if it is named, and removes it after a day. */
  async #settle({ sha256, key, modifiedAt }: Entry, isNamed: boolean, now: number): Promise<void> {
    const own = this.#key(sha256);
    const isMissing = isNamed && (await this.#client.request({ method: 'HEAD', key: own }, [200, 404])).status === 404;
    if (isMissing && !(await this.#copy(key, own))) return;
    if (now - modifiedAt >= graceMilliseconds) await this.#delete(key);
  }
}

function readPage(text: string): ReturnType<typeof readListing> {
  try {
    return readListing(text);
  } catch (error) {
    throw filesUnavailable(error);
  }
}

/** The content, checked against its hash; the last chunk is held back until then, so that no reader takes a damaged file for whole. */
async function* verified(sha256: string, { size, stream }: { size: number; stream: Readable }): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let seen = 0;
  let held: Buffer | null = null;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      seen += chunk.length;
      if (held) yield held;
      held = chunk;
    }
  } catch (error) {
    throw filesUnavailable(error);
  }
  if (seen !== size || hash.digest('hex') !== sha256) {
    log().error({ sha256 }, 'a stored file is damaged');
    throw new DamagedFile(sha256);
  }
  if (held) yield held;
}

/** The store of a FILES_URL; one for the process, since it limits what goes on at once. */
export function objectStore(settings: ObjectStoreSettings): ObjectStore {
  const stores = oncePerProcess('object-stores', () => new WeakMap<ObjectStoreSettings, ObjectStore>());
  const store = stores.get(settings) ?? new ObjectStore(settings);
  stores.set(settings, store);
  return store;
}
