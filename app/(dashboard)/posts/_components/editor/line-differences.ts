/** A run of lines that are in both texts, or only in one. */
export interface LineRun {
  kind: 'both' | 'theirs' | 'mine';
  lines: string[];
}

/** Limit of line pairs; larger texts are not compared line by line. */
const pairsMaximum = 4_000_000;

/** For every pair of suffixes, the number of lines in common (longest common subsequence). */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const row = rows[i] as Uint32Array;
    const below = rows[i + 1] as Uint32Array;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] as number) + 1 : Math.max(below[j] as number, row[j + 1] as number);
    }
  }
  return rows;
}

function middleRuns(
  theirs: readonly string[],
  mine: readonly string[],
  add: (kind: LineRun['kind'], line: string) => void,
): void {
  let i = 0;
  let j = 0;
  if (theirs.length * mine.length <= pairsMaximum) {
    const lengths = commonLengths(theirs, mine);
    while (i < theirs.length && j < mine.length) {
      if (theirs[i] === mine[j]) {
        add('both', theirs[i++] as string);
        j++;
      } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) add('theirs', theirs[i++] as string);
      else add('mine', mine[j++] as string);
    }
  }
  while (i < theirs.length) add('theirs', theirs[i++] as string);
  while (j < mine.length) add('mine', mine[j++] as string);
}

/** Two texts as runs of lines in order; at a difference, their lines come first. */
export function lineDifferences(theirs: string, mine: string): LineRun[] {
  const a = theirs.split('\n');
  const b = mine.split('\n');
  const runs: LineRun[] = [];
  const add = (kind: LineRun['kind'], line: string) => {
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  };
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) add('both', a[start++] as string);
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  middleRuns(a.slice(start, a.length - end), b.slice(start, b.length - end), add);
  for (const line of a.slice(a.length - end)) add('both', line);
  return runs;
}
