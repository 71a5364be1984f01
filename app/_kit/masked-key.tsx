/** An API key as it may be shown after it was issued: its first letters and its last. */
export function MaskedKey({ apiKey: { prefix, last4 } }: { apiKey: { prefix: string; last4: string } }) {
  return (
    <span className="block truncate font-mono text-xs text-muted">
      {prefix}…{last4}
    </span>
  );
}
