/** Between two ways to sign in. */
export function Or() {
  return (
    <p className="flex items-center gap-3 text-label text-muted before:h-px before:grow before:bg-separator after:h-px after:grow after:bg-separator">
      or
    </p>
  );
}
