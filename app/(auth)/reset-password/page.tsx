import type { Metadata } from 'next';
import { ResetPassword } from './_components/reset-password';

export const metadata: Metadata = { title: 'Set a new password', robots: { index: false } };

/** The page of the mailed link. Opening it does not use the link up. */
export default function ResetPasswordPage() {
  return <ResetPassword />;
}
