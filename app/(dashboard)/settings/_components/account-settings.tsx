'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PasswordField } from '@/app/_kit/password-field';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { SubmitButton } from '@/app/_kit/submit-button';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import type { Account, PendingEmail } from '@/server/features/accounts/account.schema';
import { Fact, Facts } from './facts';

interface PasswordValues {
  currentPassword: string;
  newPassword: string;
}

const resolver = schemaResolver<PasswordValues>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.changePasswordInput),
);

/** Changes the password. This browser stays signed in; others are signed out. */
function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(trpc.account.changePassword.mutationOptions());
  const form = useForm<PasswordValues>({
    resolver,
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { control, formState } = form;

  const { failure, submit } = useFormSubmit(form, async (values) => {
    await change.mutateAsync(values);
    form.reset();
    toast('Password changed', { description: 'You’re still signed in here; other devices were signed out.' });
    await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <SectionCard
        title="Password"
        description="Changing it signs you out on other devices."
        footer={
          <SubmitButton variant="secondary" isPending={formState.isSubmitting}>
            Change password
          </SubmitButton>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          {/* Tells password managers which account the password belongs to. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField control={control} name="currentPassword" label="Current password" autoComplete="current-password" />
          <PasswordField
            control={control}
            name="newPassword"
            label="New password"
            autoComplete="new-password"
            description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
          />
          <FormError failure={failure} />
        </div>
      </SectionCard>
    </form>
  );
}

/** The password; an account that came by single sign-on has none until its holder sets one. */
function PasswordSetting({ email }: { email: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.singleSignOn.status.queryOptions({}));
  return data?.hasPassword === false ? <FirstPassword email={email} /> : <PasswordForm email={email} />;
}

function FirstPassword({ email }: { email: string }) {
  const trpc = useTRPC();
  const request = useMutation(
    trpc.recovery.requestPasswordReset.mutationOptions({
      onSuccess: () => toast('Check your email', { description: `We’ve sent a link to ${email}. It expires in an hour.` }),
      onError: (error) => toast.failure('No link was sent.', error),
    }),
  );
  return (
    <SectionCard
      title="Password"
      description="You sign in with single sign-on. A password is a second way, for when your provider isn’t available."
      footer={
        <PendingButton variant="secondary" isPending={request.isPending} onPress={() => request.mutate({ email })}>
          Email me a link to set a password
        </PendingButton>
      }
    />
  );
}

const EmailForm = onDemandComponent(() => import('./email-form').then((module) => module.EmailForm));

/** The sign-in address, replaced by a form to change it. */
function EmailSetting({ user }: { user: Account['user'] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <EmailForm email={user.email} onClose={() => setOpen(false)} />;
  return (
    <SectionCard
      title="Email"
      description="Used to sign in and for calendar reminders."
      actions={
        <Button variant="secondary" size="sm" onPress={() => setOpen(true)}>
          Change email
        </Button>
      }
    >
      <Facts>
        <Fact label="Email">{user.email}</Fact>
        <Fact label="Member since">
          <RelativeTime value={user.createdAt} isDate />
        </Fact>
      </Facts>
      {user.pendingEmail && <EmailPending pending={user.pendingEmail} />}
      {!user.pendingEmail && !user.isEmailVerified && <EmailUnproven email={user.email} />}
    </SectionCard>
  );
}

/** A new address that waits for confirmation by its link. */
function EmailPending({ pending }: { pending: PendingEmail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(
    trpc.account.cancelEmailChange.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.get.queryFilter()),
      onError: (error) => toast('Couldn’t cancel the request', { description: errorFacts(error).message }),
    }),
  );
  return (
    <EmailNotice tone="info" label="Cancel request" isPending={cancel.isPending} onPress={() => cancel.mutate({})}>
      Open the link we emailed to {pending.email} to confirm it. It expires <RelativeTime value={pending.expiresAt} />.
    </EmailNotice>
  );
}

/** For an address that was changed before changes required confirmation. */
function EmailUnproven({ email }: { email: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const prove = useMutation(
    trpc.account.proveEmail.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.get.queryFilter()),
      onError: (error) => toast('Couldn’t send the link', { description: errorFacts(error).message }),
    }),
  );
  return (
    <EmailNotice tone="warning" label="Send link" isPending={prove.isPending} onPress={() => prove.mutate({})}>
      {email} isn’t confirmed. Until then, the API can’t respond to invitations sent to it.
    </EmailNotice>
  );
}

interface EmailNoticeProps {
  tone: 'info' | 'warning';
  label: string;
  isPending: boolean;
  onPress: () => void;
  children: ReactNode;
}

function EmailNotice({ tone, label, isPending, onPress, children }: EmailNoticeProps) {
  const look = tone === 'info' ? 'bg-info-soft text-info-text' : 'bg-warning-soft text-warning-text';
  return (
    <div className={`mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md px-3 py-2 ${look}`}>
      <p className="min-w-0 break-words">{children}</p>
      <PendingButton variant="secondary" size="sm" isPending={isPending} onPress={onPress}>
        {label}
      </PendingButton>
    </div>
  );
}

/** Email and password of the signed-in person. */
export function AccountSettings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  return (
    <QueryResult query={account} failure="Couldn’t load your account" loading="Loading your account">
      {({ user }) => (
        <>
          <EmailSetting user={user} />
          <PasswordSetting email={user.email} />
        </>
      )}
    </QueryResult>
  );
}
