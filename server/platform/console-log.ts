import { log } from './log';

function levelled(level: 'error' | 'warn'): (...parts: unknown[]) => void {
  return (...parts) => {
    const error = parts.find((part) => part instanceof Error);
    // Next.js adds a digest to page errors and also reports them to instrumentation.ts, which logs them.
    if (error && 'digest' in error) return;
    // Next.js reports unhandled rejections too, but the process has already logged them.
    if (parts.some((part) => typeof part === 'string' && part.includes('unhandledRejection'))) return;
    const text = parts.filter((part) => typeof part === 'string').join(' ');
    log()[level](error ? { err: error } : {}, text || 'written to the console');
  };
}

/** Redirects console errors and warnings of libraries to the log. */
export function logConsole(): void {
  Object.assign(console, { error: levelled('error'), warn: levelled('warn') });
}
