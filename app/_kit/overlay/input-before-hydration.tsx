import { ReplayClick } from './replay-input';

/**
 * Runs as an inline script before all others, so it may not reference anything outside. Until hydration it stores the last
 * click on a button, hides it from React, which drops a click that comes while it waits for a part of the page, and stores the
 * keys that are not typed into a field. Links, fields and form submission work without a script and are left to the browser.
 */
function listen(): void {
  let clicked: HTMLElement | null = null;
  const keys: KeyboardEvent[] = [];
  const rememberClick = (event: Event): void => {
    clicked = event.target instanceof Element ? event.target.closest<HTMLElement>('button:not([type="submit"])') : null;
    if (clicked) event.stopImmediatePropagation();
    keys.length = 0;
  };
  const rememberKey = (event: KeyboardEvent): void => {
    const isTyped = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]');
    // Enter and the space bar click a button, and Tab moves: the browser does that.
    if (!isTyped && !event.repeat && (event.key.length === 1 || event.key === 'Escape') && event.key !== ' ') keys.push(event);
  };
  window.addEventListener('click', rememberClick, true);
  window.addEventListener('keydown', rememberKey, true);
  window.takeClickBeforeHydration = () => {
    window.removeEventListener('click', rememberClick, true);
    return clicked;
  };
  window.takeKeysBeforeHydration = () => {
    window.removeEventListener('keydown', rememberKey, true);
    return keys;
  };
}

const script = `(${listen.toString()})()`;

/**
 * On a slow connection the page is visible before it is hydrated. A button clicked in that time, or a shortcut pressed, acts
 * after hydration.
 */
export function InputBeforeHydration({ nonce }: { nonce: string }) {
  return (
    <>
      <script nonce={nonce}>{script}</script>
      <ReplayClick />
    </>
  );
}
