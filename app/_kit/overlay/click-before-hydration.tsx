import { ReplayClick } from './replay-click';

/**
 * Runs as an inline script before all others, so it may not reference anything outside. Until hydration it stores the last
 * click on a button and hides it from React, which drops a click that comes while it waits for a part of the page. Links,
 * fields and form submission work without a script and are left to the browser.
 */
function listen(): void {
  let clicked: HTMLElement | null = null;
  const remember = (event: Event): void => {
    clicked = event.target instanceof Element ? event.target.closest<HTMLElement>('button:not([type="submit"])') : null;
    if (clicked) event.stopImmediatePropagation();
  };
  window.addEventListener('click', remember, true);
  window.takeClickBeforeHydration = () => {
    window.removeEventListener('click', remember, true);
    return clicked;
  };
}

const script = `(${listen.toString()})()`;

/** On a slow connection the page is visible before it is hydrated. A button clicked in that time acts after hydration. */
export function ClickBeforeHydration({ nonce }: { nonce: string }) {
  return (
    <>
      <script nonce={nonce}>{script}</script>
      <ReplayClick />
    </>
  );
}
