import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A position in a source file, as in a stack trace: lines and columns from 1. */
export interface Site {
  file: string;
  line: number;
  column: number;
}

/** A statement that a test ran. */
export interface RecordedStatement {
  name?: string;
  text: string;
  /** Times are returned as text (`isoTimes`). */
  isIso: boolean;
  /** The call that ran it and its callers, innermost first. */
  sites: Site[];
}

/** Everything that the processes of a test run recorded, each text and call once. */
export function readRecording(folder: string): RecordedStatement[] {
  const found = new Map<string, RecordedStatement>();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
      if (!line) continue;
      const statement = JSON.parse(line) as RecordedStatement;
      const site = statement.sites[0];
      found.set(`${site?.file}:${site?.line} ${statement.text}`, statement);
    }
  }
  return [...found.values()];
}
