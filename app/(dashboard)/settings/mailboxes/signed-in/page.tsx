import type { Metadata } from 'next';
import { FinishSignIn } from '../_components/finish-sign-in';

export const metadata: Metadata = { title: 'Mailboxes · Settings' };

/** Where providers of mailboxes lead browsers back to. */
export default function SignedInPage() {
  return <FinishSignIn />;
}
