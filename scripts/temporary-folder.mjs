import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
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

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A run that was killed leaves its folder, which in memory would take room until the machine restarts. */
function removeLeftovers(base, prefix) {
  for (const name of readdirSync(base)) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (/^\d+$/.test(pid) && !isAlive(Number(pid))) rmSync(path.join(base, name), { recursive: true, force: true });
  }
}

/**
 * A new folder for what the tests write: hundreds of databases, which take longer on a disk. In memory where there is plenty.
 * Removes those of processes that have ended without removing theirs.
 *
 * @param {string} prefix of its name, before the id of the process
 * @param {string} base where to make it
 * @returns {string} its path; others may pass through it, since PostgreSQL runs as another user if we are root
 */
export function makeTemporaryFolder(prefix, base = isRoomy(inMemory) ? inMemory : os.tmpdir()) {
  removeLeftovers(base, prefix);
  const folder = mkdtempSync(path.join(base, `${prefix}${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}
