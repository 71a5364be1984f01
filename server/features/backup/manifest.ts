import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { DamagedArchive, type Entry } from './archive';

/** A backup's description of itself: the last file of its archive, because its content is complete only then. */

export const manifestName = 'manifest.json';
export const secretName = 'auth-secret';
export const jobsName = 'jobs.copy';

export const tableFile = (table: string) => `tables/${table}.copy`;
export const storedFile = (sha256: string) => `files/${sha256}`;

/** The hash in the name of a stored file; null for any other name. */
export function hashOfStoredFile(name: string): string | null {
  return /^files\/([0-9a-f]{64})$/.exec(name)?.[1] ?? null;
}

/** Incremented when the meaning of a backup's content changes. Since 2, jobs are in a table like any other. */
const formatVersion = 2;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();
const identifier = z.string().min(1).max(63);

/** Rows as `COPY … TO STDOUT` writes them, sorted by primary key so that equal tables have equal hashes. */
const rowsSchema = z.object({ rows: count, bytes: count, sha256 });

const manifestSchema = z.object({
  format: z.literal('frontdesk-backup'),
  formatVersion: z.literal([1, formatVersion]),
  /** Version of the product that made it, for people. */
  version: z.string(),
  /** Time of its database snapshot. */
  createdAt: z.iso.datetime(),
  /** Applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string().min(1), checksum: sha256 })).min(1),
  /** In loading order: referenced tables first. */
  tables: z.array(rowsSchema.extend({ name: identifier, columns: z.array(identifier).min(1) })).min(1),
  sequences: z.array(z.object({ name: identifier, lastValue: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() })),
  /** Waiting jobs of a version that had a queue of its own for them. */
  jobs: rowsSchema.optional(),
  /** Attachments and pictures. */
  files: z.object({ count, bytes: count }),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableRows = z.output<typeof rowsSchema>;

/** A manifest without its constant fields. */
export type ManifestContent = Omit<Manifest, 'format' | 'formatVersion'>;

export function manifestText(content: ManifestContent): string {
  return `${JSON.stringify({ format: 'frontdesk-backup', formatVersion, ...content } satisfies Manifest, null, 2)}\n`;
}

/** Far more than any real manifest; a larger file is refused. */
const maximumBytes = 16 * 1024 * 1024;

/** @throws DamagedArchive; Error for one of a later format */
export async function readManifest({ size, content }: Pick<Entry, 'size' | 'content'>): Promise<Manifest> {
  if (size > maximumBytes) throw new DamagedArchive('its manifest is far too large');
  const text = (await buffer(content)).toString();
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new DamagedArchive('its manifest can’t be read');
  }
  const parsed = manifestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { formatVersion: theirs } = (given ?? {}) as { formatVersion?: unknown };
  if (typeof theirs === 'number' && theirs > formatVersion) {
    throw new Error('The backup was made by a newer version of Frontdesk. Restore it with that version.');
  }
  const where = parsed.error.issues[0]?.path.join('.') || 'all of it';
  throw new DamagedArchive(`its manifest is not one (${where})`);
}
