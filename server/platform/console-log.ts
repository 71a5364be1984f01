import { log } from './log';

function levelled(level: 'error' | 'warn'): (...parts: unknown[]) => void {
  return (...parts) => {
    const error = parts.find((part) => part instanceof Error);
    // Next.js gives a digest to what failed in a page, and reports it to instrumentation.ts as well, which logs it.
    if (error && 'digest' in error) return;
    // It reports these as well; the process has done so already.
    if (parts.some((part) => typeof part === 'string' && part.includes('unhandledRejection'))) return;
    const text = parts.filter((part) => typeof part === 'string').join(' ');
    log()[level](error ? { err: error } : {}, text || 'written to the console');
  };
}

/** Makes what libraries write to the console as errors and warnings part of the log. */
export function logConsole(): void {
  Object.assign(console, { error: levelled('error'), warn: levelled('warn') });
}
