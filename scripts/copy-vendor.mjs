import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Copies the API reference's bundle to where the server serves it, so that /docs loads nothing from other servers. Run by the
 * build.
 */
const from = fileURLToPath(new URL('../node_modules/@scalar/api-reference/dist/browser/standalone.js', import.meta.url));
const folder = fileURLToPath(new URL('../public/vendor/', import.meta.url));
const to = `${folder}scalar-api-reference.js`;

const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size;

if (sizeOf(from) !== sizeOf(to)) {
  mkdirSync(folder, { recursive: true });
  copyFileSync(from, to);
}
