import type { Metadata } from 'next';
import { BrandMark } from '@/app/_kit/brand-mark';
import { ApiReference } from './_components/api-reference';

export const metadata: Metadata = { title: 'API reference' };

/** The API reference with examples, generated from the document that the API serves. Links use a full load, see below. */
export default function DocsPage() {
  return (
    <>
      <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-4 border-b border-border bg-background-secondary px-4">
        <h1 className="flex items-center gap-2.5 font-semibold tracking-tight">
          <BrandMark className="size-6" />
          Frontdesk API
        </h1>
        <nav aria-label="Frontdesk" className="flex gap-4 text-label">
          <a href="/docs/follow-what-happens" className="py-1 text-muted hover:text-foreground max-sm:hidden">
            Events &amp; webhooks
          </a>
          <a href="/api/v1/openapi.json" className="py-1 text-muted hover:text-foreground">
            OpenAPI document
          </a>
          {/* The reference is a separate program that only a full load ends. */}
          <a href="/" className="py-1 text-accent-text hover:underline">
            Dashboard
          </a>
        </nav>
      </header>
      <ApiReference />
    </>
  );
}
