'use client';

import { useEffect } from 'react';

const storageKey = 'frontdesk.session-renewed';
const dayMilliseconds = 24 * 3_600_000;

/** Renews the session cookie once per day of use, so that a session expires after a period without use. */
export function KeepSession() {
  useEffect(() => {
    const renewedAt = Number(localStorage.getItem(storageKey) ?? 0);
    // A time in the future was stored by a clock that was ahead.
    if (renewedAt <= Date.now() && Date.now() - renewedAt < dayMilliseconds) return;
    fetch('/api/auth/session').then(
      (response) => {
        if (response.ok) localStorage.setItem(storageKey, String(Date.now()));
      },
      // If the server can't be reached, the next page tries again.
      () => {},
    );
  }, []);
  return null;
}
