/** Scalar's colours, from our tokens; its own names on the left. */
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
`;

/**
 * What the reference shows, and that it talks to nobody but this server: its own defaults load fonts, send requests through a
 * proxy and report usage.
 */
export function referenceConfiguration(isDark: boolean): object {
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
