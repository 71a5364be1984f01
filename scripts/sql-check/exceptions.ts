import type { Exception } from './findings';

/** Folders whose statements are not compared: they work on tables in general, or before there are any. */
export const leftOut: readonly { folder: string; reason: string }[] = [
  { folder: 'features/backup', reason: 'copies all tables, whatever they are, and uses temporary ones' },
  { folder: 'platform/db', reason: 'starts and migrates databases of any state' },
];

/** Findings that are accepted, each with its reason. */
export const exceptions: readonly Exception[] = [];
