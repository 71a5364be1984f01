import { useBrowserValue } from './use-browser-value';

/** False on the server and until hydration, then true. */
export const useIsHydrated = (): boolean => useBrowserValue(() => true, false);
