import { accessSync, constants } from 'node:fs';
import { ensurePages, ensureServer, projectRoot } from './build.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

/** `npm start` (dist/main.mjs) and, with the argument `demo`, `npm run demo`. */
const entry = process.argv[2] === 'demo' ? 'demo' : 'main';

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

process.chdir(projectRoot);
process.env.NODE_ENV = 'production';

try {
  await ensureServer(console.log);
  await ensurePages(console.log);
} catch (error) {
  const advice = `The build in ${projectRoot} is missing or out of date, and this user can't write there. Run "npm run build" as its owner.`;
  console.error(isWritable(projectRoot) ? error.message : advice);
  process.exit(1);
}
stopWithParent();
await import(`../dist/${entry}.mjs`);
