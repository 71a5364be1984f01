import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metadata } from 'next';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { BrandMark } from '@/app/_kit/brand-mark';

export const metadata: Metadata = { title: 'Follow what happens' };

let rendered: Promise<string> | undefined;

/** The guide is a file of the repository, so it needs no sanitising. */
async function render(): Promise<string> {
  const markdown = await readFile(join(process.cwd(), 'docs/follow-what-happens.md'), 'utf8');
  const html = await unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype)
    .use(rehypeStringify)
    .process(markdown.replace('(../clients/typescript/README.md)', '(/docs)'));
  // Code that is too wide scrolls, which needs the keyboard, too.
  return String(html).replaceAll('<pre>', '<pre tabindex="0">');
}

/** The guide to events and webhooks, docs/follow-what-happens.md, as a page. */
export default async function FollowPage() {
  rendered ??= render();
  const html = await rendered;
  return (
    <>
      <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-4 border-b border-border bg-background-secondary px-4">
        <p className="flex items-center gap-2.5 font-semibold tracking-tight">
          <BrandMark className="size-6" />
          Frontdesk API
        </p>
        <nav aria-label="Frontdesk" className="flex gap-4 text-label">
          <a href="/docs" className="py-1 text-muted hover:text-foreground">
            API reference
          </a>
          <a href="/" className="py-1 text-accent-text hover:underline">
            Dashboard
          </a>
        </nav>
      </header>
      <main className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this repository */}
        <article className={look} dangerouslySetInnerHTML={{ __html: html }} />
      </main>
    </>
  );
}

const look = [
  'text-reading [&_h1]:mb-4 [&_h1]:text-title [&_h1]:font-semibold [&_h1]:tracking-tight',
  '[&_h2]:mt-10 [&_h2]:mb-3 [&_h2]:text-base [&_h2]:font-semibold [&_h3]:mt-6 [&_h3]:mb-2 [&_h3]:text-sm [&_h3]:font-semibold',
  '[&_p]:my-3 [&_ul]:my-3 [&_ul]:list-disc [&_ul]:pl-5 [&_li]:my-1.5 [&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-2',
  '[&_code]:font-mono [&_code]:text-label [&_:not(pre)>code]:wrap-anywhere',
  '[&_pre]:my-3 [&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:border [&_pre]:border-border [&_pre]:bg-background-secondary [&_pre]:p-3',
  '[&_table]:my-4 [&_table]:w-full [&_table]:text-label [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium',
  '[&_td]:border-t [&_td]:border-separator [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top',
].join(' ');
