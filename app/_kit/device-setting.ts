/** A preference in this browser; null if there is none or the storage is forbidden. */
export function readSetting(key: string, area: 'localStorage' | 'sessionStorage' = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a preference, or removes it (null). Where the storage is forbidden or full, it holds until the page is left. */
export function writeSetting(key: string, value: string | null, area: 'localStorage' | 'sessionStorage' = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // A preference is only a convenience.
  }
}
