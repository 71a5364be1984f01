/**
 * A schema's error as a sentence for its field. The schemas' messages are phrased to follow a field's name ("must not be
 * empty"), as in the API; here the label is that name.
 */
export function fieldMessage(label: string, reason: string | undefined): string | undefined {
  if (!reason) return undefined;
  if (!/^(must|is|has|can) /.test(reason)) return reason;
  return `${label} ${reason}${/[.?]$/.test(reason) ? '' : '.'}`;
}
