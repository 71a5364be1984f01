import Link from 'next/link';

/** The way from a card to the list that has all of it. */
export function CardLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-label text-accent-text underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}
