import { redirect } from 'next/navigation';

/** Redirects links in earlier emails. */
export default function MovedPage(): never {
  redirect('/settings/sign-in');
}
