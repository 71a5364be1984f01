interface FlowedLine {
  /** Number of quote marks. */
  depth: number;
  content: string;
}

const separator = '-- ';

function lineOf(line: string): FlowedLine {
  const [marks = ''] = /^>*/.exec(line) ?? [];
  const rest = line.slice(marks.length);
  return { depth: marks.length, content: rest.startsWith(' ') ? rest.slice(1) : rest };
}

/** True if the paragraph continues on the next line of the same depth; a signature separator is never soft. */
function isSoft({ content }: FlowedLine): boolean {
  return content.endsWith(' ') && content !== separator;
}

/**
 * Joins lines of `format=flowed` text into paragraphs (RFC 3676, section 4); quoted paragraphs have their marks once.
 * @param text with `\n` line breaks
 * @param delSp true if the space before a soft line break is not part of the text
 */
export function unflowed(text: string, delSp: boolean): string {
  const paragraphs: { depth: number; pieces: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split('\n').map(lineOf)) {
    const paragraph = paragraphs.at(-1);
    const isSame = isOpen && paragraph?.depth === line.depth && line.content !== separator;
    isOpen = isSoft(line);
    const piece = isOpen && delSp ? line.content.slice(0, -1) : line.content;
    if (isSame) paragraph.pieces.push(piece);
    else paragraphs.push({ depth: line.depth, pieces: [piece] });
  }
  return paragraphs
    .map(({ depth, pieces }) => (depth === 0 ? pieces.join('') : `${'>'.repeat(depth)} ${pieces.join('')}`.trimEnd()))
    .join('\n');
}
