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
        <title>Something went wrong</title>
        <h1 style={{ fontSize: 20 }}>Something went wrong</h1>
        <p>Your saved work is safe. Try again.</p>
        {error.digest && <p>If it happens again, report error code {error.digest}.</p>}
        <button type="button" onClick={reset} style={{ font: 'inherit', padding: '8px 14px' }}>
          Try again
        </button>
      </body>
    </html>
  );
}
