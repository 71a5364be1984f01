/**
 * Fixes controls of Scalar 1.46.4 without a name or with attributes that assistive technology must ignore, also in what it
 * renders later. Remove each rule once Scalar is fixed; e2e checks the page with axe.
 *
 * @returns a function that stops it
 */
export function fixAccessibility(root: HTMLElement): () => void {
  const fix = () => {
    observer.disconnect();
    for (const [selector, change] of rules) for (const element of root.querySelectorAll<HTMLElement>(selector)) change(element);
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['role', 'aria-selected'] });
  };
  let scheduled = 0;
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(scheduled);
    scheduled = requestAnimationFrame(fix);
  });
  fix();
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
  // A tablist may contain only tabs; this one also has a menu, and shows no panels.
  ['.client-libraries-list[role="tablist"]', (element) => element.setAttribute('role', 'toolbar')],
  ['.client-libraries-list [role="tab"]', (element) => element.removeAttribute('role')],
  // The current entry of the sidebar is marked by aria-current; buttons can't be "selected".
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
  ['.selected-client[tabindex="1"]', (element) => (element.tabIndex = 0)],
  // The page has its own header and notifications.
  ['header:not([role])', (element) => element.setAttribute('role', 'group')],
  [
    'section[aria-label^="Notifications"]',
    (element) => {
      element.ariaLabel = 'API reference notifications';
    },
  ],
  // Several cards of the same kind are not landmarks of the page.
  ['.scalar-card[role="region"]', (element) => element.setAttribute('role', 'group')],
];
