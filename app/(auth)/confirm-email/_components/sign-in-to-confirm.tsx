'use client';

import { useLinkToken } from '../../_components/mailed-link';
import { SignInForm } from '../../sign-in/_components/sign-in-form';

/** Signs in and comes back to this page with the link's token, which only the browser knows. */
export function SignInToConfirm() {
  const token = useLinkToken() ?? '';
  // Another address than this one's, or the browser would not load the page again.
  return (
    <SignInForm
      destination={`/confirm-email?signed-in=1#${token}`}
      notice="Sign in as before to confirm your new email address."
    />
  );
}
