import * as z from 'zod';
import { type MetadataEntry, parseEntry } from './metadata-draft';

const isBlank = (entry: MetadataEntry) => !entry.isStored && entry.name.trim() === '' && entry.text === '';

/** Turns rows into the object, with errors reported at the row; blank new rows are dropped. */
export const metadataEntries = z.custom<MetadataEntry[]>().transform((entries, context) => {
  const values = new Map<string, unknown>();
  const report = (index: number, field: 'name' | 'text', message: string) =>
    context.addIssue({ code: 'custom', path: [index, field], message });
  for (const [index, entry] of entries.entries()) {
    if (isBlank(entry)) continue;
    const name = entry.isStored ? entry.name : entry.name.trim();
    const parsed = parseEntry(entry);
    if (name === '' && !entry.isStored) report(index, 'name', 'must not be empty');
    else if (name === '__proto__') report(index, 'name', 'is a reserved name');
    else if (values.has(name)) report(index, 'name', 'is used more than once');
    if ('reason' in parsed) report(index, 'text', parsed.reason);
    else values.set(name, parsed.value);
  }
  return Object.fromEntries(values);
});
