import { afterEach, beforeEach, vi } from 'vitest';

/** For tests: the part of a browser's storage that is used; its entries are its own properties. */
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

/** A storage that is forbidden or full. */
export const forbiddenStorage = {
  getItem: refuse('SecurityError'),
  setItem: refuse('QuotaExceededError'),
  removeItem: refuse('SecurityError'),
};

/** Gives each test of the calling file a window with empty storage. */
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
