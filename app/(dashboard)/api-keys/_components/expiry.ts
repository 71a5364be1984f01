/** Lifetimes of a new key; `custom` asks for a date. */
export const expiryOptions = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'Custom date' },
] as const;

export type Expiry = (typeof expiryOptions)[number]['value'];

/**
 * The expiry of a key; null for never. A chosen day ends with its last second in the viewer's zone.
 *
 * @param day a date field's value, `2026-11-21`
 */
export function expiresAt(expiry: Expiry, day: string, now: Date): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'custom') return new Date(`${day}T23:59:59`).toISOString();
  const end = new Date(now);
  end.setDate(end.getDate() + Number(expiry));
  return end.toISOString();
}
