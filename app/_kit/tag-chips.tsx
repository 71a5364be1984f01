/** How many tags a row shows; the rest is a number. */
export const shownTags = 2;

interface TagChipsProps {
  tags: readonly string[];
  /** The plural of the rows: "customers". */
  what: string;
  /** Filters the list by a tag. */
  onTag: (tag: string) => void;
  /** True if a row has little room on a phone. */
  isTight?: boolean;
}

/** The tags of a row in a list. */
export function TagChips({ tags, what, onTag, isTight = false }: TagChipsProps) {
  const hidden = tags.slice(shownTags);
  if (tags.length === 0) return null;
  return (
    <span className={`flex min-w-0 items-center gap-1 ${isTight ? 'max-md:max-w-40 max-md:justify-end' : ''}`}>
      {tags.slice(0, shownTags).map((tag) => (
        <button
          key={tag}
          type="button"
          title={tag}
          aria-label={`Show ${what} tagged ${tag}`}
          onClick={() => onTag(tag)}
          className={`relative h-6 min-w-6 max-w-28 shrink truncate rounded-md bg-default px-1.5 text-xs text-foreground hover:bg-accent-soft hover:text-accent-text ${isTight ? 'max-md:max-w-20' : ''}`}
        >
          {tag}
        </button>
      ))}
      {hidden.length > 0 && (
        <span className="shrink-0 text-xs text-muted" title={hidden.join(', ')}>
          +{hidden.length}
          <span className="sr-only"> more tags</span>
        </span>
      )}
    </span>
  );
}
