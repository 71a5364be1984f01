/**
 * A schema's reason as a sentence at its field. The schemas say what reads well after a field's name ("must not be empty"), since
 * the API shows them so; here the label is that name.
 */
export function fieldMessage(label: string, reason: string | undefined): string | undefined {
  if (!reason) return undefined;
  if (!/^(must|is|has|can) /.test(reason)) return reason;
  return `${label} ${reason}${/[.?]$/.test(reason) ? '' : '.'}`;
}
