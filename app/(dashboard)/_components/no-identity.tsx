import { BrandMark } from '@/app/_kit/brand-mark';
import { NoIdentityForm } from './no-identity-form';

/** For an account without a business: offers to create one. Rendered by the server alone, as every page would load it otherwise. */
export function NoIdentity({ email }: { email: string }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-16">
      <div className="mb-6 flex items-center gap-2.5">
        <BrandMark />
        <span className="text-base font-semibold tracking-tight">Frontdesk</span>
      </div>
      <section className="rounded-lg border border-border bg-surface p-6">
        <h1 className="text-title font-semibold tracking-tight">No business</h1>
        <p className="mt-2 mb-5 text-muted">
          You’re signed in as <span className="break-words text-foreground">{email}</span>. You don’t belong to a business. Ask an
          owner to invite you, or create one. It starts on the Free plan.
        </p>
        <NoIdentityForm />
      </section>
    </main>
  );
}
