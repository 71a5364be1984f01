import { useBrowserValue } from './use-browser-value';

/** A number formatted for the viewer's locale. */
export function LocalNumber({ value }: { value: number }) {
  return useBrowserValue(() => value.toLocaleString(navigator.language), value.toLocaleString('en'));
}
