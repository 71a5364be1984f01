/** A table of results, as the terminal and bench/README.md show it. */
export interface Table {
  title: string;
  note: string;
  head: string[];
  rows: string[][];
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function whole(value: number | null): string {
  return value === null ? '–' : Math.round(value).toLocaleString('en');
}

export function milliseconds(value: number | null): string {
  if (value === null) return '–';
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

/** GitHub's Markdown, with columns padded so that it reads well as plain text too. */
export function toMarkdown({ title, note, head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`### ${title}`, '', note, '', line(head), rule, ...rows.map(line)].join('\n');
}
