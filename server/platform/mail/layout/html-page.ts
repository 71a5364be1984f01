import { escapeHtml } from '../../html/text-to-html';
import { row, table } from './html-pieces';
import { font, look, styleSheets } from './html-style';

/** The page around the contents of every mail but replies: whose it is, a card, and why the reader gets it. No external resources. */
export interface MailPage {
  /** BCP 47. */
  language: string;
  subject: string;
  /** Preview text that mail programs show beside the subject; by default, they take the beginning of the mail. */
  preheader?: string;
  /** The name above the card: of the business, or the product. */
  sender: string;
  /** The head of the card, in HTML. */
  head: string;
  /** The parts of the card below its head, in HTML. Lines separate them. */
  blocks: readonly string[];
  /** Below the card; may be empty. */
  footer: string;
}

const padding = (top: number, bottom: number) => `padding:${top}px 32px ${bottom}px`;

/** Invisible; the trailing blanks keep mail programs from adding the beginning of the mail to the preview. */
function preheaderHtml(text: string): string {
  const style = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px';
  return `<div style="${style}">${escapeHtml(text)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>\n`;
}

/** The whole HTML document. All strings but `head` and `blocks` are plain text. */
export function mailPage({ language, subject, preheader, sender, head, blocks, footer }: MailPage): string {
  const rows = blocks.map((block, at) => {
    const style = at === 0 ? padding(16, 20) : `border-top-width:1px;border-top-style:solid;${padding(18, 18)}`;
    return row(block, look('rule', style, 'fd-pad'));
  });
  const card = table(
    row(head, `class="fd-pad" style="${padding(28, 0)}"`) + rows.join(''),
    `width="100%" ${look('card', 'border-width:1px;border-style:solid;border-radius:8px;border-collapse:separate')}`,
  );
  const named = `<p dir="auto" ${look('text', `${font('body', 600)};margin:0 0 12px;padding:0 8px;word-break:break-word`)}>${escapeHtml(sender)}</p>`;
  const foot =
    footer === ''
      ? ''
      : `<p ${look('muted', `${font('small')};margin:16px 0 0;padding:0 8px;text-align:center`)}>${escapeHtml(footer)}</p>`;
  const width = '<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->';
  const page = row(
    `${width}<div style="max-width:600px;margin:0 auto">${named}${card}${foot}</div><!--[if mso]></td></tr></table><![endif]-->`,
    'class="fd-margin" style="padding:24px 16px"',
  );
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
${styleSheets.map((sheet) => `<style>${sheet}</style>`).join('\n')}
</head>
<body ${look('page', 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
${preheader === undefined ? '' : preheaderHtml(preheader)}${table(page, `width="100%" ${look('page')}`)}
</body>
</html>
`;
}
