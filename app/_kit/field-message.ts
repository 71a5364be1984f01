/**
 * A schema's error as a sentence for its field. The schemas' messages are phrased to follow a field's name ("must not be
 * empty"), as in the API; here the label is that name, or one of several values in quotation marks.
 */
export function fieldMessage(label: string, reason: string | undefined): string | undefined {
  if (!reason) return undefined;
  if (!/^(must|is|has|can) /.test(reason)) return reason;
  if (reason === 'must not be empty') return `${label} can’t be empty.`;
  if (reason === 'must be an e-mail address') {
    return label.startsWith('“') ? `${label} isn’t a valid email.` : 'Enter a valid email address.';
  }
  return `${label} ${reason}${/[.?]$/.test(reason) ? '' : '.'}`;
}
