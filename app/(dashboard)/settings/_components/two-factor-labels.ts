/** A warning while recovery codes run low; null while there are enough. */
export function recoveryCodesHint(left: number): string | null {
  if (left > 3) return null;
  if (left === 0)
    return 'You have no recovery codes. Create new ones now: if you lose your phone or passkeys, you can’t sign in without one.';
  return 'You’re running low on recovery codes. Create new ones before they run out.';
}

/** The secret for typing into an app: in groups of four. */
export function groupedSecret(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
