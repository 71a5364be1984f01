import { ensureServer, projectRoot } from './build.mjs';

/** `npm run -s admin -- …`: the operator's command line. stdout gets one JSON object and nothing else. */
process.chdir(projectRoot);
process.env.NODE_ENV ??= 'production';

try {
  await ensureServer((line) => console.error(line));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import('../dist/admin.mjs');
