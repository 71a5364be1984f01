import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

/** The initial JavaScript of each page, before anything is clicked, from the build's manifests. */

/** Limit of a page's initial JavaScript, in bytes of gzip. */
export const pageWeightLimit = 250_000;

const manifestName = 'page_client-reference-manifest.js';

/** Chunks of each page by its route: the framework's, those of its layouts, and its own. */
function chunksOf(buildDirectory) {
  const app = path.join(buildDirectory, 'server', 'app');
  const { rootMainFiles } = JSON.parse(readFileSync(path.join(buildDirectory, 'build-manifest.json'), 'utf8'));
  const manifests = readdirSync(app, { recursive: true }).filter((file) => path.basename(file) === manifestName);
  return manifests.flatMap((file) => {
    const context = {};
    context.globalThis = context;
    runInNewContext(readFileSync(path.join(app, file), 'utf8'), context);
    return Object.entries(context.__RSC_MANIFEST).map(([page, { entryJSFiles }]) => ({
      page: page.replace(/\/page$/, '') || '/',
      chunks: new Set([...rootMainFiles, ...Object.values(entryJSFiles).flat()]),
    }));
  });
}

/**
 * The initial JavaScript of each page of a production build.
 *
 * @param buildDirectory `.next`
 * @returns pages with bytes of gzip, the heaviest first
 */
export function pageWeights(buildDirectory) {
  const sizes = new Map();
  const sizeOf = (chunk) => {
    if (!sizes.has(chunk)) sizes.set(chunk, gzipSync(readFileSync(path.join(buildDirectory, chunk)), { level: 9 }).length);
    return sizes.get(chunk);
  };
  return chunksOf(buildDirectory)
    .map(({ page, chunks }) => ({ page, bytes: [...chunks].reduce((sum, chunk) => sum + sizeOf(chunk), 0) }))
    .sort((a, b) => b.bytes - a.bytes || a.page.localeCompare(b.page));
}

/** Formats pages with their bytes as lines of text. */
export function weightTable(weights) {
  return weights.map(({ page, bytes }) => `${String(bytes).padStart(9)}  ${page}`).join('\n');
}
