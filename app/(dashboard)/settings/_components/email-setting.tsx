'use client';

import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { Account } from '@/server/features/accounts/account.schema';
import { EmailPending } from './email-pending';
import { EmailUnproven } from './email-unproven';
import { Fact, Facts } from './facts';

const EmailForm = onDemandComponent(() => import('./email-form').then((module) => module.EmailForm));

/** The address somebody signs in with; its form opens in its place. */
export function EmailSetting({ user }: { user: Account['user'] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <EmailForm email={user.email} onClose={() => setOpen(false)} />;
  return (
    <SectionCard
      title="Email"
      description="You sign in with it, and reminders of the calendar come to it."
      actions={
        <Button variant="secondary" size="sm" onPress={() => setOpen(true)}>
          Change email
        </Button>
      }
    >
      <Facts>
        <Fact label="Email">{user.email}</Fact>
        <Fact label="Owner since">
          <RelativeTime value={user.createdAt} />
        </Fact>
      </Facts>
      {user.pendingEmail && <EmailPending pending={user.pendingEmail} />}
      {!user.pendingEmail && !user.isEmailVerified && <EmailUnproven email={user.email} />}
    </SectionCard>
  );
}
