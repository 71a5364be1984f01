/** A warning while recovery codes run low; null while there are enough. */
export function recoveryCodesHint(left: number): string | null {
  if (left > 3) return null;
  if (left === 0) return 'You have no recovery codes. Make new ones now: without them and your phone you can’t sign in.';
  return 'You are running low. Make new recovery codes before they run out.';
}

/** The secret for typing into an app: in groups of four. */
export function groupedSecret(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
