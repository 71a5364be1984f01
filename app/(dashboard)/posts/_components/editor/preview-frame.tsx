'use client';

import { useTheme } from 'next-themes';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { applyPage, followLinks, scrollToPart, setScheme, writtenPage } from './preview-document';

interface PreviewFrameProps {
  /** The whole public page. */
  page: string;
  /** What scrolls the source; the page follows it. */
  source: RefObject<HTMLElement | null>;
}

/** The public page in a frame in which nothing runs. It is loaded once; later pages change what differs. */
export function PreviewFrame({ page, source }: PreviewFrameProps) {
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
      title="The post as readers see it"
      sandbox="allow-same-origin"
      className={`block size-full ${shown ? '' : 'opacity-0'}`}
    />
  );
}
