/** In pixels; what is higher scrolls in its frame. */
const highest = 6_000;
const lowest = 48;
/** Where a page is as high as its frame and then some, this has to do. */
const elasticHeight = 600;

/** Room for a scroll bar below pages that are wider than their frame. */
const scrollBar = 16;

/** Keys that the page around the frame knows; typed into a mail, they would be lost otherwise. */
function passOnKeys(page: Document): () => void {
  const passOn = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent) => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, shiftKey, repeat, cancelable: true }));
  };
  page.addEventListener('keydown', passOn);
  return () => page.removeEventListener('keydown', passOn);
}

/**
 * Keeps a frame as high as the page in it, while images load and quotes unfold. A page whose height follows from its frame's would
 * grow without end; it gets a fixed height and scrolls.
 *
 * @returns stops it
 */
export function fitToContent(frame: HTMLIFrameElement, page: Document): () => void {
  const contentHeight = () => {
    const { scrollWidth, clientWidth } = page.documentElement;
    return Math.ceil(page.body.getBoundingClientRect().height) + (scrollWidth > clientWidth ? scrollBar : 0);
  };
  const observer = new ResizeObserver(() => {
    const height = Math.min(Math.max(contentHeight(), lowest), highest);
    frame.style.height = `${height}px`;
    if (height < highest && contentHeight() > height) {
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
