import { existsSync } from 'node:fs';
import path from 'node:path';

/** Folders of servers that are often missing in a user's PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin'];

/**
 * The path of `program`, or null. In CI all programs must be installed, so that tests fail instead of being skipped.
 *
 * @throws Error in CI if it is missing
 */
export function findProgram(program: string): string | null {
  const { PATH = '', CI } = process.env;
  const folders = [...PATH.split(path.delimiter), ...systemFolders];
  const found = folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
  if (!found && CI) throw new Error(`${program} is not installed; .ci/run installs it.`);
  return found ?? null;
}
