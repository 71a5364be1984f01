import type { Metadata } from 'next';
import { serverQueryClient, trpc } from '@/app/_trpc/server';
import { AuthCard, AuthLink } from '../_components/auth-card';
import { ForgotPasswordForm } from './_components/forgot-password-form';

export const metadata: Metadata = { title: 'Forgot password' };

export default async function ForgotPasswordPage() {
  const { canSendMail } = await serverQueryClient().fetchQuery(trpc.recovery.status.queryOptions({}));
  return canSendMail ? <ForgotPasswordForm /> : <OperatorNotice />;
}

function OperatorNotice() {
  return (
    <AuthCard
      title="Ask your administrator"
      lead="This server can’t send email, so you can’t get a reset link. Your administrator can set a new password on the command line:"
    >
      <code className="rounded-md bg-background-secondary px-3 py-2 font-mono text-label break-words">
        npm run -s admin -- user set-password --email you@example.com --password-stdin
      </code>
      <p>
        <AuthLink href="/sign-in">Back to sign-in</AuthLink>
      </p>
    </AuthCard>
  );
}
