import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What a run of all tests needs at most, several times over. */
const roomy = 8 * 1024 ** 3;

/** Linux's file system in memory. */
const inMemory = '/dev/shm';

/** Whether its files may be programs: containers often forbid it. */
function allowsPrograms(mount) {
  const line = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((each) => each.split(' ')[1] === mount);
  return line !== undefined && !line.split(' ')[3]?.split(',').includes('noexec');
}

function isRoomy(mount) {
  try {
    const { bavail, bsize } = statfsSync(mount);
    return bavail * bsize > roomy && os.freemem() > roomy && allowsPrograms(mount);
  } catch {
    return false;
  }
}

/**
 * A new folder for what the tests write: hundreds of databases, which take twice as long on a disk. In memory where there is
 * plenty.
 *
 * @param {string} prefix of its name
 * @returns {string} its path; others may pass through it, since PostgreSQL runs as another user if we are root
 */
export function makeTemporaryFolder(prefix) {
  const folder = mkdtempSync(path.join(isRoomy(inMemory) ? inMemory : os.tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}
