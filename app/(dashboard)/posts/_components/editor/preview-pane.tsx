import { useMutation } from '@tanstack/react-query';
import { useTheme } from 'next-themes';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { latestRun } from './latest-run';
import type { PostSession } from './post-session';
import type { PostView } from './post-view';

interface PreviewPaneProps {
  preview: BlogPostPreview | null;
  isStale: boolean;
  source: RefObject<HTMLElement | null>;
}

/** The post as readers will see it, with notes about the preview. */
export function PreviewPane({ preview, isStale, source }: PreviewPaneProps) {
  const note = isStale
    ? preview
      ? 'Preview is out of date.'
      : 'Preview isn’t available right now.'
    : preview?.isPlain
      ? 'Too long to preview; showing plain text.'
      : '';
  return (
    <>
      <p role="status" className={note === '' ? 'sr-only' : 'border-b border-border px-4 py-1.5 text-label text-muted'}>
        {note}
      </p>
      {preview ? (
        <div className="min-h-0 flex-1">
          <PreviewFrame page={preview.page} source={source} />
        </div>
      ) : (
        !isStale && (
          <div className="p-8">
            <SkeletonLines shape="text" lines={8} label="Loading preview" />
          </div>
        )
      )}
    </>
  );
}

interface PreviewFrameProps {
  /** The whole public page. */
  page: string;
  /** The scroll container of the source; the page follows it. */
  source: RefObject<HTMLElement | null>;
}

/** The public page in a frame without scripts. It is loaded once; later pages patch the differences. */
function PreviewFrame({ page, source }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [firstPage] = useState(() => writtenPage(page));
  const [shown, setShown] = useState<Document | null>(null);
  const scheme = useTheme().resolvedTheme === 'dark' ? 'dark' : 'light';

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onLoad = () => {
      if (element.contentDocument?.URL === 'about:srcdoc') setShown(element.contentDocument);
    };
    element.addEventListener('load', onLoad);
    if (element.contentDocument?.readyState === 'complete') onLoad();
    return () => element.removeEventListener('load', onLoad);
  }, []);

  useEffect(() => {
    if (shown) setScheme(shown, scheme);
  }, [shown, scheme]);

  useEffect(() => {
    if (shown) applyPage(shown, page);
  }, [shown, page]);

  useEffect(() => (shown ? followLinks(shown) : undefined), [shown]);

  useEffect(() => {
    const element = source.current;
    if (!shown || !element) return;
    const onScroll = () => {
      const room = element.scrollHeight - element.clientHeight;
      if (room > 0) scrollToPart(shown, element.scrollTop / room);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [shown, source]);

  return (
    <iframe
      ref={frame}
      srcDoc={firstPage}
      title="Post preview"
      sandbox="allow-same-origin"
      className={`block size-full ${shown ? '' : 'opacity-0'}`}
    />
  );
}

const pauseMilliseconds = 250;
const retryMilliseconds = 5_000;

function inputOf({ values, post, isDirty }: PostView) {
  const { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags } = values;
  const times = { publishedAt: post?.publishedAt ?? null, updatedAt: (!isDirty && post?.updatedAt) || null };
  return { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags, ...times };
}

/** The post as readers will see it, updated a moment after each change. After a failure it stays, and `isStale` is true. */
export function usePreview(session: PostSession): { preview: BlogPostPreview | null; isStale: boolean } {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.preview.mutationOptions({ networkMode: 'always' }));
  const [preview, setPreview] = useState<BlogPostPreview | null>(null);
  const [isStale, setIsStale] = useState(false);

  useEffect(() => {
    const loop = latestRun({
      pause: pauseMilliseconds,
      retry: retryMilliseconds,
      run: mutateAsync,
      onDone: (answer) => {
        setPreview(answer);
        setIsStale(false);
      },
      onFailed: () => setIsStale(true),
    });
    let { values, post } = session.view();
    const unsubscribe = session.subscribe(() => {
      const view = session.view();
      if (view.values === values && view.post?.publishedAt === post?.publishedAt && view.post?.updatedAt === post?.updatedAt)
        return;
      ({ values, post } = view);
      loop.ask(inputOf(view));
    });
    loop.ask(inputOf(session.view()));
    loop.now();
    window.addEventListener('online', loop.now);
    return () => {
      window.removeEventListener('online', loop.now);
      unsubscribe();
      loop.stop();
    };
  }, [session, mutateAsync]);

  return { preview, isStale };
}

/** The public page inside the editor's frame: loaded once, then patched in place, so that it neither flickers nor scrolls. */

/** Parses a page and removes what a preview does not need: its scripts never run here, and links lead out of the frame. */
function parsePage(page: string): Document {
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  for (const element of parsed.querySelectorAll('script, link')) element.remove();
  // Links are followed by `followLinks`. In browsers that keep its listeners out of a sandbox, the sandbox blocks them.
  const base = parsed.createElement('base');
  base.target = '_blank';
  parsed.head.prepend(base);
  return parsed;
}

function writtenPage(page: string): string {
  return `<!doctype html>${parsePage(page).documentElement.outerHTML}`;
}

function copyAttributes(target: Element, source: Element): void {
  for (const { name } of [...target.attributes]) {
    // The user may have opened something in the preview.
    if (name !== 'open' && name !== 'style' && !source.hasAttribute(name)) target.removeAttribute(name);
  }
  for (const { name, value } of [...source.attributes]) {
    if (target.getAttribute(name) !== value) target.setAttribute(name, value);
  }
}

/** Makes the children of one element equal to another's; equal nodes stay the very same. */
function patchChildren(target: Element, source: Element): void {
  const before = [...target.childNodes];
  const after = [...source.childNodes];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start]?.isEqualNode(after[start] ?? null)) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end)?.isEqualNode(after.at(-1 - end) ?? null)) end++;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  for (const [index, node] of fresh.entries()) {
    const present = old[index];
    if (!present) target.insertBefore(target.ownerDocument.importNode(node, true), before[before.length - end] ?? null);
    else patchNode(present, node);
  }
  for (const node of old.slice(fresh.length)) node.remove();
}

function replace(present: ChildNode, node: Node): void {
  present.replaceWith((present.ownerDocument as Document).importNode(node, true));
}

function patchNode(present: ChildNode, node: Node): void {
  if (present.isEqualNode(node)) return;
  if (present.nodeName !== node.nodeName) replace(present, node);
  else if (node.nodeType === 1) {
    copyAttributes(present as unknown as Element, node as Element);
    patchChildren(present as unknown as Element, node as Element);
  } else present.nodeValue = node.nodeValue;
}

/** Replaces the page in a document, keeping equal nodes. */
function applyPage(target: Document, page: string): void {
  const source = parsePage(page);
  copyAttributes(target.documentElement, source.documentElement);
  patchChildren(target.body, source.body);
}

/** The original scheme of each rule. */
const schemes = new WeakMap<CSSRule, 'light' | 'dark'>();

function schemeOf(rule: CSSRule): 'light' | 'dark' | undefined {
  const known = schemes.get(rule);
  if (known || !('media' in rule)) return known;
  const [, written] = /prefers-color-scheme:\s*(light|dark)/.exec((rule as CSSMediaRule).media.mediaText) ?? [];
  if (written) schemes.set(rule, written as 'light' | 'dark');
  return schemes.get(rule);
}

/** Applies the dashboard's colour scheme instead of the system's: rules for either scheme apply always, or never. */
function setScheme(target: Document, scheme: 'light' | 'dark'): void {
  target.documentElement.style.colorScheme = scheme;
  for (const sheet of target.styleSheets) {
    for (const rule of sheet.cssRules) {
      const written = schemeOf(rule);
      if (written) (rule as CSSMediaRule).media.mediaText = written === scheme ? 'all' : 'not all';
    }
  }
}

/** Follows links within the page; opens others in a new tab. Returns a function that stops it. */
function followLinks(target: Document): () => void {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute('href') ?? '';
    if (href.startsWith('#')) {
      target.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
      return;
    }
    const url = URL.canParse(href, window.location.href) ? new URL(href, window.location.href) : null;
    if (url && /^https?:$/.test(url.protocol)) window.open(url, '_blank', 'noopener');
  };
  target.addEventListener('click', onClick);
  target.addEventListener('auxclick', onClick);
  return () => {
    target.removeEventListener('click', onClick);
    target.removeEventListener('auxclick', onClick);
  };
}

/** Scrolls a page to the same relative position as its source. @param part from 0 at the top to 1 at the end */
function scrollToPart(target: Document, part: number): void {
  const element = target.scrollingElement;
  if (element) element.scrollTo({ top: part * (element.scrollHeight - element.clientHeight), behavior: 'instant' });
}
