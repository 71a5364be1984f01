import type { Change, Fact } from './event-facts';
import type { MailContent } from './mail-content';

/** The plain text of a mail about an event. */

const indented = (lines: string[]) => lines.join('\n  ');

function factText({ label, lines, note }: Fact): string {
  const value = lines.length === 1 ? ` ${lines[0]}` : `\n  ${indented(lines)}`;
  return `${label}:${value}${note ? ` (${note})` : ''}`;
}

function changeText({ label, before, after }: Change): string {
  return `${label}: ${before || 'none'}\n  → ${after || 'none'}`;
}

function joinText({ join }: MailContent): string[] {
  if (!join) return [];
  return [`${join.label}: ${join.shown}`, ...(join.password ? [`Meeting password: ${join.password}`] : [])];
}

/** Ends with a newline. The signature follows `-- `, so that mail programs recognize it. */
export function textPart(content: MailContent): string {
  const { intro, title, changes, facts, people, description, question, open, signature, footer } = content;
  const blocks = [
    intro,
    title,
    ...(changes.length > 0 ? [['What has changed', ...changes.map(changeText)].join('\n')] : []),
    [...facts.map(factText), ...joinText(content)].join('\n'),
    ...(open ? [`${open.label}: ${open.href}`] : []),
    ...(question ? [`${question.text}\n${question.url}`] : []),
    ...(description ? [description] : []),
    ...(people.length > 0 ? [people.map(factText).join('\n')] : []),
    footer,
    ...(signature ? [`-- \n${signature}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}
