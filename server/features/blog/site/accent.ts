/** Possible accent hues of a site, in degrees of OKLCH. */
export const accentHues = [25, 55, 95, 145, 195, 235, 275, 335];

function accentOf(handle: string): number {
  let hash = 0x811c9dc5;
  for (const character of handle) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % accentHues.length;
}

/**
 * The hue of a site's accent. There is no setting for it, but two businesses on one installation should not look alike, so it
 * is derived from the handle (FNV-1a).
 */
export function accentHue(handle: string): number {
  return accentHues[accentOf(handle)] ?? 0;
}

/** The CSS class that sets a site's accent. */
export function accentClass(handle: string): string {
  return `hue-${accentOf(handle)}`;
}
