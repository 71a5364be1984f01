import { readFileSync } from 'node:fs';
import { oncePerProcess } from './process-globals';

/** The version of Frontdesk that runs. */
export function productVersion(): string {
  return oncePerProcess('product-version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    return version;
  });
}
