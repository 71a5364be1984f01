import { existsSync } from 'node:fs';
import path from 'node:path';

/** Servers live where the PATH of people does not always lead. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Where `program` is installed, or null. In CI everything is, so there it must be: a test that needs it fails instead of being skipped.
 *
 * @throws Error in CI where it is missing
 */
export function findProgram(program: string): string | null {
  // biome-ignore lint/style/noProcessEnv: how the tests are run; no setting of the product
  const { PATH = '', CI } = process.env;
  const folders = [...PATH.split(path.delimiter), ...systemFolders];
  const found = folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
  if (!found && CI) throw new Error(`${program} is not installed; .ci/run installs it.`);
  return found ?? null;
}
