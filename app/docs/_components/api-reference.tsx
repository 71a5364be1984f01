'use client';

import { useTheme } from 'next-themes';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { fixAccessibility } from './fix-accessibility';

/** Scalar's colours mapped to our tokens; Scalar's names are on the left. */
const styles = `
.light-mode, .dark-mode {
  --scalar-font: var(--font-geist-sans);
  --scalar-font-code: var(--font-geist-mono);
  --scalar-radius: 6px;
  --scalar-radius-lg: 8px;
  --scalar-radius-xl: 8px;
  --scalar-background-1: var(--background);
  --scalar-background-2: var(--surface-secondary);
  --scalar-background-3: var(--surface-tertiary);
  --scalar-background-accent: var(--accent-soft);
  --scalar-border-color: var(--border);
  --scalar-color-1: var(--foreground);
  --scalar-color-2: var(--muted);
  --scalar-color-3: var(--muted);
  --scalar-color-accent: var(--accent-text);
  --scalar-color-green: var(--success-text);
  --scalar-color-red: var(--danger-text);
  --scalar-color-yellow: var(--warning-text);
  --scalar-color-orange: var(--warning-text);
  --scalar-color-blue: var(--info-text);
  --scalar-color-purple: var(--accent-text);
  --scalar-button-1: var(--accent);
  --scalar-button-1-color: var(--accent-foreground);
  --scalar-button-1-hover: var(--accent-hover);
  --scalar-sidebar-background-1: var(--background-secondary);
  --scalar-sidebar-color-1: var(--foreground);
  --scalar-sidebar-color-2: var(--muted);
  --scalar-sidebar-color-active: var(--accent-text);
  --scalar-sidebar-item-active-background: var(--accent-soft);
  --scalar-sidebar-item-hover-background: var(--background-tertiary);
  --scalar-sidebar-border-color: var(--border);
  --scalar-sidebar-search-background: var(--field-background);
  --scalar-sidebar-search-border-color: var(--field-border);
  --scalar-sidebar-search-color: var(--muted);
  --scalar-custom-header-height: 56px;
}
/* Scalar fades what is deprecated below a readable contrast; the stripes and the badge say it as well. */
:is(.light-mode, .dark-mode) .property--deprecated.property--deprecated > * { opacity: 1; }
/* Scalar cuts what does not fit into one line. */
:is(.light-mode, .dark-mode) .selected-client.selected-client { white-space: normal; }
`;

/**
 * Configures the reference to contact only this server: Scalar's defaults load fonts, send requests through a proxy and report
 * usage.
 */
function referenceConfiguration(isDark: boolean): object {
  return {
    url: '/api/v1/openapi.json',
    theme: 'none',
    customCss: styles,
    forceDarkModeState: isDark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideModels: true,
    documentDownloadType: 'none',
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: { preferredSecurityScheme: 'apiKey' },
  };
}

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
    script.onload = () => (window.Scalar ? resolve(window.Scalar) : reject(new Error('The API reference didn’t start.')));
    script.onerror = () => reject(new Error('The API reference couldn’t be loaded.'));
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
        const stopFixing = fixAccessibility(mount);
        stop = () => {
          stopFixing();
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
      {state === 'loading' && <SkeletonLines lines={12} label="Loading API reference" />}
      {state instanceof Error && (
        <ErrorState
          error={state}
          onRetry={() => setAttempt(attempt + 1)}
          title="Couldn’t load the API reference"
          reassurance="The API itself isn’t affected."
        />
      )}
      <div ref={place} />
    </>
  );
}
