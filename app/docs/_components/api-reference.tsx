'use client';

import { useTheme } from 'next-themes';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { mendAccessibility } from './mend-accessibility';
import { referenceConfiguration } from './reference-configuration';

interface Scalar {
  createApiReference: (mount: Element, configuration: object) => { destroy: () => void };
}

declare global {
  interface Window {
    Scalar?: Scalar;
  }
}

/** Loads the bundle that `scripts/copy-vendor.mjs` put under /vendor. A script added by a trusted one needs no nonce. */
function loadScalar(): Promise<Scalar> {
  return new Promise((resolve, reject) => {
    if (window.Scalar) {
      resolve(window.Scalar);
      return;
    }
    const script = document.createElement('script');
    script.src = '/vendor/scalar-api-reference.js';
    script.charset = 'utf-8';
    script.onload = () => (window.Scalar ? resolve(window.Scalar) : reject(new Error('The reference did not start.')));
    script.onerror = () => reject(new Error('The reference could not be loaded.'));
    document.head.append(script);
  });
}

/** Scalar's API reference, in our colours and without any request to other servers. */
export function ApiReference() {
  const { resolvedTheme } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | Error>('loading');
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    let isCurrent = true;
    let stop: (() => void) | undefined;
    setState('loading');
    loadScalar().then(
      (scalar) => {
        if (!isCurrent || !place.current) return;
        const mount = document.createElement('div');
        place.current.replaceChildren(mount);
        const app = scalar.createApiReference(mount, referenceConfiguration(resolvedTheme === 'dark'));
        const stopMending = mendAccessibility(mount);
        stop = () => {
          stopMending();
          app.destroy();
        };
        setState('ready');
      },
      (error: Error) => isCurrent && setState(error),
    );
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [resolvedTheme, attempt]);

  return (
    <>
      {state === 'loading' && <SkeletonLines lines={12} label="Loading the reference" />}
      {state instanceof Error && (
        <ErrorState
          error={state}
          onRetry={() => setAttempt(attempt + 1)}
          title="The reference could not be loaded"
          reassurance="The API itself is not concerned."
        />
      )}
      <div ref={place} />
    </>
  );
}
