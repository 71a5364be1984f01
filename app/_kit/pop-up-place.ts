/**
 * The page's landmark, as the place of what opens over it; by itself React Aria puts that below the body, where those who walk by
 * landmarks do not find it.
 */
export function popUpPlace(): { UNSTABLE_portalContainer?: Element } {
  const main = typeof document === 'undefined' ? null : document.getElementById('content');
  return main ? { UNSTABLE_portalContainer: main } : {};
}
