'use client';

/** Shown if not even the layout could be rendered, so it has its own few styles. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body
        style={{
          fontFamily: 'ui-sans-serif, system-ui, sans-serif',
          margin: '20vh auto',
          maxWidth: 420,
          padding: '0 16px',
          lineHeight: 1.5,
        }}
      >
        <title>Frontdesk failed</title>
        <h1 style={{ fontSize: 20 }}>Frontdesk could not be shown</h1>
        <p>Something went wrong while making this page. What was saved before is safe.</p>
        {error.digest && <p>If it happens again, report reference {error.digest}.</p>}
        <button type="button" onClick={reset} style={{ font: 'inherit', padding: '8px 14px' }}>
          Try again
        </button>
      </body>
    </html>
  );
}
