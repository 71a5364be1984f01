import { createHash } from 'node:crypto';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { publicUrl } from '@/server/platform/env';
import type { Picture, SocialImage } from './site/site';

/** Sizes of the pictures in posts, and the smaller files of uploaded ones. */

/** An uploaded picture has a root-relative URL and, in several sizes, a `srcset`. */
export interface KnownPicture extends Picture {
  /** The file for cards on other sites; only for uploaded pictures. */
  social?: SocialImage;
}

const ownPath = /^\/blog\/([a-z0-9-]+)\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/;

/** Blog and id of a picture of this installation; null for any other URL. */
export function ownPicture(url: string): { handle: string; id: string } | null {
  const base = publicUrl();
  const [, handle, id] = ownPath.exec(url.startsWith(`${base}/`) ? url.slice(base.length) : url) ?? [];
  return handle !== undefined && id !== undefined ? { handle, id } : null;
}

/** The path of a picture's file; without a width, of the largest. */
export function picturePath(handle: string, id: string, file: { format: string; width?: number } = { format: 'webp' }): string {
  const size = file.width === undefined ? '' : `-${file.width}`;
  return `/blog/${handle}/media/${id}${size}.${file.format === 'jpeg' ? 'jpg' : file.format}`;
}

/** The key under which sizes of remote pictures are stored. */
export function hashOfUrl(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}

interface FileRow {
  image_id: string;
  format: string;
  width: number;
  height: number;
}

function known(url: string, { handle, id }: { handle: string; id: string }, files: FileRow[]): KnownPicture {
  const sizes = files.filter(({ format }) => format === 'webp').sort((one, other) => other.width - one.width);
  const social = files.find(({ format }) => format === 'jpeg');
  const [largest] = sizes;
  if (!largest) return { url, width: null, height: null };
  const srcset = sizes.map(({ width }) => {
    const path = width === largest.width ? picturePath(handle, id) : picturePath(handle, id, { format: 'webp', width });
    return `${path} ${width}w`;
  });
  return {
    url: picturePath(handle, id),
    width: largest.width,
    height: largest.height,
    ...(sizes.length > 1 ? { srcset: srcset.join(', ') } : {}),
    ...(social ? { social: { url: picturePath(handle, id, social), width: social.width, height: social.height } } : {}),
  };
}

/** The known sizes of these pictures by URL, in two statements for any number of them. The result has every URL. */
export async function knownPictures(db: Queryable, urls: readonly string[]): Promise<ReadonlyMap<string, KnownPicture>> {
  const wanted = [...new Set(urls)];
  const own = new Map(wanted.flatMap((url) => ownPicture(url)?.id ?? []).map((id) => [id, [] as FileRow[]]));
  const remote = new Map(wanted.filter((url) => !ownPicture(url)).map((url) => [hashOfUrl(url).toString('hex'), url]));
  const [files, sizes] = await Promise.all([
    own.size === 0
      ? []
      : rows<FileRow>(db, {
          name: 'blog-image-sizes',
          text: 'SELECT image_id, format, width, height FROM blog_image_files WHERE image_id = ANY($1)',
          values: [[...own.keys()]],
        }),
    remote.size === 0
      ? []
      : rows<{ hash: Buffer; width: number | null; height: number | null }>(db, {
          name: 'remote-picture-sizes',
          text: 'SELECT hash, width, height FROM remote_pictures WHERE hash = ANY($1)',
          values: [[...remote.keys()].map((hash) => Buffer.from(hash, 'hex'))],
        }),
  ]);
  for (const file of files) own.get(file.image_id)?.push(file);
  const result = new Map<string, KnownPicture>(wanted.map((url) => [url, { url, width: null, height: null }]));
  for (const { hash, width, height } of sizes) {
    const url = remote.get(hash.toString('hex'));
    if (url !== undefined) result.set(url, { url, width, height });
  }
  for (const url of wanted) {
    const picture = ownPicture(url);
    if (picture) result.set(url, known(url, picture, own.get(picture.id) ?? []));
  }
  return result;
}
