'use client';

import { useEffect } from 'react';

const storageKey = 'frontdesk.session-renewed';
const aDay = 24 * 3_600_000;

/** Renews the session's cookie once a day of use, so that it ends after a while without use and not after a while of use. */
export function KeepSession() {
  useEffect(() => {
    const renewedAt = Number(localStorage.getItem(storageKey) ?? 0);
    // A time that is to come was noted by a clock that was ahead.
    if (renewedAt <= Date.now() && Date.now() - renewedAt < aDay) return;
    fetch('/api/auth/session').then(
      (response) => {
        if (response.ok) localStorage.setItem(storageKey, String(Date.now()));
      },
      // Not reachable now: the next page tries again.
      () => {},
    );
  }, []);
  return null;
}
