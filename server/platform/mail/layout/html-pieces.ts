import { escapeHtml, textToHtml } from '../../html/text-to-html';
import { font, look } from './html-style';

/** HTML fragments of a mail. Inputs are plain text unless noted and are escaped here; results are HTML. */

/** A table for layout only, ignored by screen readers. */
export function table(rows: string, attributes = 'width="100%"'): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows}</table>`;
}

export function row(cell: string, attributes = ''): string {
  return `<tr><td${attributes ? ` ${attributes}` : ''}>${cell}</td></tr>`;
}

/** @param href http or https */
export function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}" ${look('link', 'text-decoration:underline')}>${escapeHtml(text)}</a>`;
}

/** The primary button, secondary ones, and the current choice. */
export type ButtonKind = 'primary' | 'plain' | 'chosen';

const buttonRoles = {
  primary: ['filled', 'on-filled'],
  plain: ['card', 'link'],
  chosen: ['tinted', 'link'],
} as const;

/**
 * A link styled as a button.
 *
 * @param href http or https
 */
export function button(href: string, text: string, kind: ButtonKind): string {
  const [cellRole, textRole] = buttonRoles[kind];
  // Word ignores the padding of links, so the cell has it there.
  const cell = look(cellRole, 'mso-padding-alt:9px 16px;border-width:1px;border-style:solid;border-radius:6px');
  const style = `${font('body', 600)};display:block;padding:8px 16px;text-decoration:none;white-space:nowrap`;
  return `<td ${cell}><a href="${escapeHtml(href)}" ${look(textRole, style)}>${escapeHtml(text)}</a></td>`;
}

/** Buttons in a row. */
export function buttons(cells: string[]): string {
  return table(
    `<tr>${cells.join('<td width="8" style="width:8px;font-size:0">&nbsp;</td>')}</tr>`,
    'style="border-collapse:separate"',
  );
}

/**
 * Multi-line text with its line breaks and with web addresses as links. Email addresses are not linked; mail programs do so
 * themselves.
 */
export function paragraphs(text: string): string {
  return textToHtml(text)
    .replace(/<a href="mailto:[^"]*">([^<]*)<\/a>/g, '$1')
    .replaceAll('<a href="', `<a ${look('link', 'text-decoration:underline')} href="`);
}
