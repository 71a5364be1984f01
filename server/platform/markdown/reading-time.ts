const wordsPerMinute = 220;

/** Reading time in whole minutes, at least one. */
export function readingMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / wordsPerMinute));
}
