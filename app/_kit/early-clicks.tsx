import { ReplayEarlyClick } from './replay-early-click';

/**
 * Runs in the page before everything else, as text: nothing from outside of it is there. Until React has taken the page over, keeps the
 * last click on a button, and keeps it from React, which drops one that comes while it waits for a part of the page. What works
 * without a script (links, fields, submitting a form) is left to the browser.
 */
function listen(): void {
  let clicked: HTMLElement | null = null;
  const remember = (event: Event): void => {
    clicked = event.target instanceof Element ? event.target.closest<HTMLElement>('button:not([type="submit"])') : null;
    if (clicked) event.stopImmediatePropagation();
  };
  window.addEventListener('click', remember, true);
  window.takeEarlyClick = () => {
    window.removeEventListener('click', remember, true);
    return clicked;
  };
}

const script = `(${listen.toString()})()`;

/** On a slow connection a page is there to see before its script is. A button that is clicked in between does what it does once it can. */
export function EarlyClicks({ nonce }: { nonce: string }) {
  return (
    <>
      <script nonce={nonce}>{script}</script>
      <ReplayEarlyClick />
    </>
  );
}
