/** An API key as shown after it was issued: its prefix and its last characters. */
export function MaskedKey({ apiKey: { prefix, last4 } }: { apiKey: { prefix: string; last4: string } }) {
  return (
    <span className="block truncate font-mono text-xs text-muted">
      {prefix}…{last4}
    </span>
  );
}
