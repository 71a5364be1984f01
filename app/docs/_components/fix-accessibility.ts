/**
 * Scalar 1.46.4 leaves some of its controls without a name or with attributes that assistive programs must ignore. This adds what
 * is missing, also to what it renders later. Each rule goes when Scalar does it right itself; e2e checks the page with axe.
 *
 * @returns ends it
 */
export function mendAccessibility(root: HTMLElement): () => void {
  const mend = () => {
    observer.disconnect();
    for (const [selector, change] of rules) for (const element of root.querySelectorAll<HTMLElement>(selector)) change(element);
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['role', 'aria-selected'] });
  };
  let scheduled = 0;
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(scheduled);
    scheduled = requestAnimationFrame(mend);
  });
  mend();
  return () => {
    cancelAnimationFrame(scheduled);
    observer.disconnect();
  };
}

function name(label: string) {
  return (element: HTMLElement) => {
    if (!element.ariaLabel && !element.innerText.trim()) element.ariaLabel = label;
  };
}

const rules: [selector: string, change: (element: HTMLElement) => void][] = [
  // A list of tabs has nothing but tabs in it; this one has a menu as well, and shows no panels.
  ['.client-libraries-list[role="tablist"]', (element) => element.setAttribute('role', 'toolbar')],
  ['.client-libraries-list [role="tab"]', (element) => element.removeAttribute('role')],
  // The current entry of the sidebar is said by aria-current; buttons can't be "selected".
  [
    'button[aria-selected]:not([role])',
    (element) => {
      if (element.ariaSelected === 'true') element.ariaCurrent = 'true';
      else element.removeAttribute('aria-current');
      element.removeAttribute('aria-selected');
    },
  ],
  ['aside[role="navigation"]', (element) => element.removeAttribute('role')],
  [
    'button[role="search"]',
    (element) => {
      element.removeAttribute('role');
      element.ariaLabel = 'Search';
    },
  ],
  ['button[class*="copy-button"]', name('Copy')],
  ['.client-libraries__select', name('More client libraries')],
  ['button:not([aria-label])', name('Open')],
  ['.endpoints', (element) => (element.tabIndex = 0)],
  // The page has a header and notifications of its own.
  ['header:not([role])', (element) => element.setAttribute('role', 'group')],
  [
    'section[aria-label^="Notifications"]',
    (element) => {
      element.ariaLabel = 'Notifications of the reference';
    },
  ],
  // Several cards of the same kind are not landmarks of the page.
  ['.scalar-card[role="region"]', (element) => element.setAttribute('role', 'group')],
];
