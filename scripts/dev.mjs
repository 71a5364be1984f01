import { spawn } from 'node:child_process';
import { ensureClient, projectRoot } from './build.mjs';
import './copy-vendor.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

/** `npm run dev`: the same server from its sources. Pages reload automatically, and a change of the server restarts it. */
process.chdir(projectRoot);
ensureClient();
stopWithParent();
const child = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/main.ts'], {
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development' },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
