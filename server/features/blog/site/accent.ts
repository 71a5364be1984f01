/** Hues of OKLCH, in degrees, that a site can have. */
export const accentHues = [25, 55, 95, 145, 195, 235, 275, 335];

function accentOf(handle: string): number {
  let hash = 0x811c9dc5;
  for (const character of handle) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % accentHues.length;
}

/**
 * The hue of a site's accent. An owner never chooses one, yet two businesses on one installation should not look alike, so the handle
 * decides (FNV-1a).
 */
export function accentHue(handle: string): number {
  return accentHues[accentOf(handle)] ?? 0;
}

/** The class by which the stylesheet gives a site its accent. */
export function accentClass(handle: string): string {
  return `hue-${accentOf(handle)}`;
}
