import { ArrowUpRight } from 'lucide-react';

/** Links to the guide for programs that follow events or receive webhooks. */
export function GuideLink() {
  return (
    <p className="mt-3 text-label">
      <a
        href="/docs/follow-what-happens"
        className="inline-flex items-center gap-1 py-1 font-medium text-accent-text underline-offset-2 hover:underline"
      >
        Guide with complete examples
        <ArrowUpRight aria-hidden className="size-4" />
      </a>
    </p>
  );
}
