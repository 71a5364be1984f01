/** Instead of the form on an installation without an owner: signing in can't work there. */
export function SetupNeeded() {
  return (
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">Set up first</h1>
      <p className="mt-2 text-muted">
        Nobody owns this installation yet. Open the setup link that the server printed when it started; it creates the owner and
        the first business.
      </p>
      <p className="mt-3 text-muted">The link is gone from the terminal? Restart the server, it prints a new one.</p>
    </section>
  );
}
