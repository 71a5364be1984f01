/** The address with the scheme that opens the viewer's own calendar program. */
export function webcalAddress(url: string): string {
  return url.replace(/^https?:/i, 'webcal:');
}
