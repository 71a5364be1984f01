import { Ellipsis, ImageOff } from 'lucide-react';
import { useTheme } from 'next-themes';
import { type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { LinkedText } from '@/app/_kit/linked-text';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { splitQuoted } from '@/server/platform/mail/mail-text';

type Form = 'formatted' | 'text';

interface MailBodyProps {
  text: string;
  /** The URL of its HTML as a page, to which `images` can be added; null without HTML. */
  htmlUrl: string | null;
  /** Shows the HTML first; without text it is always shown. */
  prefersHtml: boolean;
  senderName: string;
  /** Width and margins of the frame that shows the HTML. */
  frameClassName: string;
}

/** The content of an email, as HTML or as text; with both, the user can choose. */
export function MailBody({ text, htmlUrl, prefersHtml, senderName, frameClassName }: MailBodyProps) {
  const hasText = text.trim() !== '';
  const [form, setForm] = useState<Form>(htmlUrl !== null && (prefersHtml || !hasText) ? 'formatted' : 'text');
  const [withImages, setWithImages] = useState(false);
  const isDarkTheme = useIsDark();
  const [isOriginal, setIsOriginal] = useState(false);
  return (
    <>
      {form === 'formatted' && htmlUrl !== null ? (
        <MailFrame
          source={`${htmlUrl}&images=${withImages ? 1 : 0}`}
          title={`Message from ${senderName}, formatted`}
          withImages={withImages}
          isDark={isDarkTheme && !isOriginal}
          onShowImages={() => setWithImages(true)}
          className={frameClassName}
        />
      ) : (
        <MessageText text={text} />
      )}
      <div className="mt-2 -ml-1 flex flex-wrap gap-x-3 empty:hidden">
        {htmlUrl !== null && hasText && (
          <QuietButton onClick={() => setForm(form === 'text' ? 'formatted' : 'text')}>
            {form === 'text' ? 'Show original formatting' : 'Show plain text'}
          </QuietButton>
        )}
        {form === 'formatted' && isDarkTheme && (
          <QuietButton onClick={() => setIsOriginal(!isOriginal)}>
            {isOriginal ? 'Show in dark colors' : 'Show original colors'}
          </QuietButton>
        )}
      </div>
    </>
  );
}

function QuietButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-6 rounded-sm px-1 text-xs text-muted hover:bg-surface-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
    >
      {children}
    </button>
  );
}

function useIsDark(): boolean {
  const isHydrated = useIsHydrated();
  const { resolvedTheme } = useTheme();
  return isHydrated && resolvedTheme === 'dark';
}

/** In characters; the rest of a longer text is shown on request, so that one message never slows down the page. */
const shownCharacters = 40_000;

/** A plain text with links; quoted mail is collapsed. */
function MessageText({ text }: { text: string }) {
  const { fresh, quoted } = useMemo(() => splitQuoted(text), [text]);
  const [isQuoteOpen, setIsQuoteOpen] = useState(false);
  const quoteId = useId();
  if (text.trim() === '') return <p className="text-muted">This message has no text.</p>;
  // A message with nothing but a quote shows it.
  if (fresh.trim() === '') return <PlainText text={text.trim()} />;
  return (
    <>
      <PlainText text={fresh.trim()} />
      {quoted.trim() !== '' && (
        <>
          <button
            type="button"
            aria-expanded={isQuoteOpen}
            aria-controls={isQuoteOpen ? quoteId : undefined}
            aria-label={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            title={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            onClick={() => setIsQuoteOpen(!isQuoteOpen)}
            className="mt-3 flex h-6 w-8 items-center justify-center rounded-md bg-default text-muted hover:bg-default-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
          >
            <Ellipsis aria-hidden className="size-4" />
          </button>
          {isQuoteOpen && (
            <div id={quoteId} className="mt-2 border-l-2 border-border pl-3 text-muted">
              <PlainText text={quoted.trim()} />
            </div>
          )}
        </>
      )}
    </>
  );
}

function PlainText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || text.length <= shownCharacters ? text : text.slice(0, shownCharacters).toWellFormed();
  return (
    <>
      <LinkedText text={shown} className="max-w-[68ch] text-base" />
      {shown !== text && (
        <Button variant="secondary" size="sm" className="mt-3" onPress={() => setIsWhole(true)}>
          Show full message
        </Button>
      )}
    </>
  );
}

/**
 * The class that switches an email's page to dark: `darkMailClass` of server/platform/html/html-view.ts, which pages of the
 * dashboard do not import.
 */
const darkMailClass = 'frontdesk-dark';

interface MailFrameProps {
  source: string;
  title: string;
  withImages: boolean;
  /** Uses the colours of the dark theme. */
  isDark: boolean;
  onShowImages: () => void;
  className: string;
}

/**
 * The HTML of an email in its own frame: no scripts, and no remote images until they are requested, since loading them tells the
 * sender when and where the email is read. Its height follows its content.
 */
function MailFrame({ source, title, withImages, isDark, onShowImages, className }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [hasBlockedImages, setHasBlockedImages] = useState(false);
  const paint = useEffectEvent((page: Document) => page.documentElement.classList.toggle(darkMailClass, isDark));
  useEffect(() => {
    frame.current?.contentDocument?.documentElement?.classList.toggle(darkMailClass, isDark);
  }, [isDark]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let stop: (() => void) | undefined;
    const onLoad = () => {
      stop?.();
      const page = element.contentDocument;
      if (!page?.body || page.URL === 'about:blank') return;
      paint(page);
      // The page omits the source of remote images.
      setHasBlockedImages(page.querySelector('img:not([src])') !== null);
      stop = fitToContent(element, page);
    };
    element.addEventListener('load', onLoad);
    // A frame that the server rendered may have loaded already.
    if (element.contentDocument?.readyState === 'complete') onLoad();
    return () => {
      element.removeEventListener('load', onLoad);
      stop?.();
    };
  }, []);

  return (
    <>
      {hasBlockedImages && !withImages && (
        <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-default px-3 py-1.5 text-label">
          <ImageOff aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="min-w-0 flex-1">Remote images are blocked.</span>
          <Button variant="secondary" size="sm" onPress={onShowImages}>
            Show images
          </Button>
        </div>
      )}
      <iframe
        ref={frame}
        src={source}
        title={title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
        className={`block h-24 max-w-none scheme-light ${className} ${isDark ? 'bg-[#191817]' : 'bg-white'}`}
      />
    </>
  );
}

/** In pixels; taller mail scrolls within its frame. */
const heightMaximum = 6_000;
const lowest = 48;
/** The fixed height of a page whose height depends on its frame's. */
const elasticHeight = 600;

/** Room for a scroll bar below pages that are wider than their frame. */
const scrollBar = 16;

/** Passes shortcuts on to the page around the frame; pressed inside an email, they would be lost otherwise. */
function passOnKeys(page: Document): () => void {
  const passOn = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent) => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, shiftKey, repeat, cancelable: true }));
  };
  page.addEventListener('keydown', passOn);
  return () => page.removeEventListener('keydown', passOn);
}

/**
 * Keeps a frame as high as its page while images load and quotes unfold. A page whose height depends on its frame's would grow
 * without end; it gets a fixed height and scrolls.
 *
 * @returns a function that stops it
 */
function fitToContent(frame: HTMLIFrameElement, page: Document): () => void {
  const contentHeight = () => {
    const { scrollWidth, clientWidth } = page.documentElement;
    return Math.ceil(page.body.getBoundingClientRect().height) + (scrollWidth > clientWidth ? scrollBar : 0);
  };
  const observer = new ResizeObserver(() => {
    const height = Math.min(Math.max(contentHeight(), lowest), heightMaximum);
    frame.style.height = `${height}px`;
    if (height < heightMaximum && contentHeight() > height) {
      observer.disconnect();
      frame.style.height = `${elasticHeight}px`;
    }
  });
  observer.observe(page.body);
  const stopKeys = passOnKeys(page);
  return () => {
    observer.disconnect();
    stopKeys();
  };
}
