/** A handle out of a business name: "Café Ömür & Sons" → "cafe-omur-sons". Empty where nothing usable is left. */
export function suggestHandle(businessName: string): string {
  const handle = businessName
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  return handle.length >= 2 ? handle : '';
}
