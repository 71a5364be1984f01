import { Lock, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { EmptyState } from '@/app/_kit/empty-state';
import { whoCan } from '@/app/_kit/permission';
import { Surface } from '@/app/_kit/surface';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { LeaveDialog } from './leave-dialog';

interface BlockedPageProps {
  /** The name of a business that requires a second factor which this account lacks; null if it may work. */
  business: string | null;
  /** What the role lacks. */
  needs: Permission | undefined;
}

/** Replaces a page that this member can't open. */
export function BlockedPage({ business, needs }: BlockedPageProps) {
  return business === null ? <PageNotAllowed needs={needs ?? '*'} /> : <SecondFactorNeeded business={business} />;
}

function SecondFactorNeeded({ business }: { business: string }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Surface>
      <EmptyState
        heading="h1"
        icon={ShieldCheck}
        title={`${business} requires two-factor authentication`}
        description="Turn it on for your account to continue. It takes two minutes and an authenticator app."
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/settings/sign-in" variant="primary">
              Set up two-factor authentication
            </ButtonLink>
            <Button variant="ghost" onPress={() => setLeaving(true)}>
              Leave {business}…
            </Button>
          </div>
        }
      />
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </Surface>
  );
}

function PageNotAllowed({ needs }: { needs: Permission }) {
  return (
    <Surface>
      <EmptyState
        heading="h1"
        icon={Lock}
        title={whoCan(needs, 'open this page').replace(/\.$/, '')}
        description="Ask an owner if you need access."
        action={<ButtonLink href="/">Go to Home</ButtonLink>}
      />
    </Surface>
  );
}
