import { afterEach, beforeEach, vi } from 'vitest';

/** For tests: as much of a browser's storage as is used; its entries are its own properties. */
class MemoryStorage {
  getItem(key: string): string | null {
    return (this as unknown as Record<string, string>)[key] ?? null;
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string): void {
    delete (this as unknown as Record<string, string>)[key];
  }
}

const refuse = (name: string) => () => {
  throw new DOMException('no', name);
};

/** One that a browser forbids, or that is full. */
export const forbiddenStorage = {
  getItem: refuse('SecurityError'),
  setItem: refuse('QuotaExceededError'),
  removeItem: refuse('SecurityError'),
};

/** Gives each test of the calling file the window of a browser that keeps nothing yet. */
export function withBrowserStorage(): void {
  beforeEach(() => {
    const events = new EventTarget();
    vi.stubGlobal('window', {
      localStorage: new MemoryStorage(),
      addEventListener: events.addEventListener.bind(events),
      removeEventListener: events.removeEventListener.bind(events),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());
}
