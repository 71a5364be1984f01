'use client';

import { useEffect } from 'react';

/** Tells how a visit to the single sign-on provider went that led back to this page (`?sso=…`), once. */
export function SingleSignOnResult() {
  useEffect(() => {
    const url = new URL(window.location.href);
    const result = url.searchParams.get('sso');
    if (result === null) return;
    url.searchParams.delete('sso');
    window.history.replaceState(window.history.state, '', url);
    // The texts are rarely needed, and every page includes this file.
    void import('@/app/_kit/single-sign-on-messages').then((module) => module.showSingleSignOnResult(result));
  }, []);
  return null;
}
