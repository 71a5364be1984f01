import { mkdirSync, writeFileSync } from 'node:fs';
import { rest } from '@/server/registry';
import { type Document, generatedFiles } from './generated-files.js';

/** Writes `src/generated` from the document the server would serve: `npm run generate -w @frontdesk/client`. */
const folder = new URL('../src/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(await generatedFiles(rest.document() as Document))) {
  writeFileSync(new URL(name, folder), text);
}
