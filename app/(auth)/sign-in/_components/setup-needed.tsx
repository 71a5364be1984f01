import { AuthCard } from '../../_components/auth-card';

/** Instead of the form on an installation without an owner: signing in can't work there. */
export function SetupNeeded() {
  return (
    <AuthCard
      title="Set up first"
      lead="This installation has no owner yet. Open the setup link that the server printed when it started; it creates the owner and the first business."
    >
      <p className="text-muted">The link is gone from the terminal? Restart the server, it prints a new one.</p>
    </AuthCard>
  );
}
