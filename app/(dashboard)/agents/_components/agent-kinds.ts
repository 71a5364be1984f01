/** The kinds that are offered; `own` stands for one that is typed. */
export const kindOptions = [
  { value: 'inbox-manager', label: 'Inbox manager' },
  { value: 'assistant', label: 'Assistant' },
  { value: 'own', label: 'A kind of your own…' },
] as const;

/** What a kind is called: as it is offered, or as whoever made it up wrote it. */
export function kindLabel(kind: string): string {
  return kindOptions.find(({ value }) => value === kind)?.label ?? kind;
}
