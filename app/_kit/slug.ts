/** The longest handle and role that the API accepts. */
const slugMaximum = 63;

/** A handle or role from a name: "Café Ömür & Sons" → "cafe-omur-sons". Empty if nothing usable is left. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, slugMaximum)
    .replace(/-+$/, '');
}
