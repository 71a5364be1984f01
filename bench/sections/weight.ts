import path from 'node:path';
import { ensurePages, projectRoot } from '../../scripts/build.mjs';
import { pageWeightLimit, pageWeights } from '../../scripts/page-weight.mjs';
import type { Table } from '../table';

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

/** The JavaScript that each page of the dashboard loads before anything is clicked. Needs no load, and a build. */
export async function weight(): Promise<Table> {
  await ensurePages();
  return {
    title: 'Weight of pages',
    note: `JavaScript that a page loads before anything is clicked, gzip. Target: under ${pageWeightLimit / 1000} kB each; \`npm test\` checks it.`,
    head: ['Page', 'kB'],
    rows: pageWeights(path.join(projectRoot, '.next')).map(({ page, bytes }) => [page, kilobytes(bytes)]),
  };
}
