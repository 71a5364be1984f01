import path from 'node:path';
import { ensureServer, projectRoot } from './build.mjs';

/** Runs dist/backup.mjs as `backup` or `restore`. stdout gets one JSON object and nothing else. */
export async function runBackupProgram(command) {
  // File paths are relative to where the command was typed; npm changes the directory.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  process.chdir(projectRoot);
  process.env.NODE_ENV ??= 'production';
  try {
    await ensureServer((line) => console.error(line));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const args = process.argv.slice(2).map((arg, index, all) => {
    const [, option, file] = /^(--to=|--from=)(.+)$/.exec(arg) ?? [];
    if (file) return option + path.resolve(typedIn, file);
    return ['--to', '--from'].includes(all[index - 1]) && arg !== '' ? path.resolve(typedIn, arg) : arg;
  });
  process.argv.splice(2, process.argv.length, command, ...args);
  await import('../dist/backup.mjs');
}
