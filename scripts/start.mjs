import { accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
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

// V8 would learn from the first requests that rows live long, and then allocate them in the old generation, where they and all
// they refer to wait for a full collection. 20 clients that list conversations took 600 MB that way, and take 310 without it
// (bench/, section memory).
setFlagsFromString('--no-allocation-site-pretenuring');

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
