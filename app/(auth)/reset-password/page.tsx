import type { Metadata } from 'next';
import { ResetPassword } from './_components/reset-password';

export const metadata: Metadata = { title: 'Set a new password', robots: { index: false } };

/** Where the mailed link leads. Opening it uses nothing up. */
export default function ResetPasswordPage() {
  return <ResetPassword />;
}
