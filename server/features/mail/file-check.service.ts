import { blogImageFiles } from '@/server/features/blog/blog.sql';
import { attachments } from '@/server/features/conversations/conversation.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { checkStore, isStoredIntact, listStored } from '@/server/platform/files/content-store';
import { folders, forEachAtOnce, type StoredFile } from '@/server/platform/files/file-store';

/** Files that rows name, and which of them can't be read. */
export interface FileCheck {
  files: number;
  bytes: number;
  missing: number;
  /** Of another size than their row says; of other content, if that is read. */
  damaged: number;
  /** Hashes of the first hundred missing and damaged ones. */
  examples: string[];
}

/** Files that are read at the same time. */
const atOnce = 4;

/** The files that rows name whose hashes begin with these two digits. */
function namedFiles(folder: string): Promise<StoredFile[]> {
  return rows<StoredFile>(pool(), {
    name: 'files-named',
    text: `SELECT sha256, size FROM ${attachments} attachments WHERE sha256 >= $1 AND sha256 < $2
      UNION SELECT sha256, size FROM quarantined_mails WHERE sha256 >= $1 AND sha256 < $2
      UNION SELECT sha256, size FROM ${blogImageFiles} blog_image_files WHERE sha256 >= $1 AND sha256 < $2`,
    // The letter after the last digit.
    values: [folder, `${folder}g`],
  });
}

/**
 * Checks that every file that a row names is in the store, with its size.
 * @param content also reads each file and compares its content with its name
 */
export async function checkFiles({ content }: { content: boolean }): Promise<FileCheck> {
  await checkStore();
  const check: FileCheck = { files: 0, bytes: 0, missing: 0, damaged: 0, examples: [] };
  const report = (kind: 'missing' | 'damaged', sha256: string) => {
    check[kind]++;
    if (check.examples.length < 100) check.examples.push(sha256);
  };
  await forEachAtOnce(atOnce, folders, async (folder) => {
    const named = await namedFiles(folder);
    const stored = named.length > 0 ? await listStored(folder) : new Map<string, number>();
    for (const { sha256, size } of named) {
      check.files++;
      check.bytes += size;
      if (!stored.has(sha256)) report('missing', sha256);
      else if (stored.get(sha256) !== size || (content && !(await isStoredIntact(sha256)))) report('damaged', sha256);
    }
  });
  return check;
}
