const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = `[${unspacedScripts.map((script) => `\\p{Script=${script}}`).join('')}\\u30FC\\p{M}]`;
const unspacedRun = new RegExp(`(?!\\p{M})${unspaced}+`, 'gu');
/** "don't", "3.14" and "state-of-the-art" are one word each. */
const spacedWord = /[\p{L}\p{N}\p{M}]+(?:['’.,-][\p{L}\p{N}\p{M}]+)*/gu;

/** ICU takes quadratic time per run, so long runs are cut, in UTF-16 units; a cut may lose half a word. */
const longestRun = 256;

let segmenter: Intl.Segmenter | undefined;

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

function countUnspaced(run: string): number {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  let count = 0;
  for (let start = 0; start < run.length; start += longestRun) {
    for (const { isWordLike } of segmenter.segment(run.slice(start, start + longestRun))) if (isWordLike) count += 1;
  }
  return count;
}

/**
 * Counts words in scripts with and without spaces (Chinese, Japanese, Thai, …). The latter need ICU's dictionaries, which are
 * slow, so only they use them.
 */
export function countWords(text: string): number {
  let count = 0;
  const spaced = text.replace(unspacedRun, (run) => {
    count += countUnspaced(run);
    return ' ';
  });
  return count + countMatches(spaced, spacedWord);
}
