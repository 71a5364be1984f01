import { escapeHtml, textToHtml } from './text-to-html';

/** An email to be printed. Times are texts. */
export interface PrintedEmail {
  sender: string;
  time: string;
  /** Terms and values below the sender: recipients, attachments. */
  facts: readonly (readonly [term: string, value: string])[];
  text: string;
  /** A page of `mailPage`; null for plain text. */
  page: string | null;
}

interface PrintedThread {
  title: string;
  /** What is not in it; null if it is whole. */
  omitted: string | null;
  emails: readonly PrintedEmail[];
}

const style = `
@page { margin: 15mm; }
body { margin: 0; color: #18181b; background: #fff; font: 11pt/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial,
  sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 6mm; font-size: 15pt; line-height: 1.3; }
article { margin-bottom: 8mm; padding-top: 4mm; border-top: 0.3mm solid #a1a1aa; }
header { margin-bottom: 4mm; break-inside: avoid; break-after: avoid; font-size: 9.5pt; }
h2 { display: inline; margin: 0; font-size: 10.5pt; }
time { float: right; margin-left: 4mm; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 3mm; margin: 1mm 0 0; color: #52525b; }
dd { margin: 0; }
.note { color: #52525b; font-size: 9.5pt; }
blockquote { margin: 0 0 0 1mm; padding-left: 3mm; border-left: 0.5mm solid #d4d4d8; color: #52525b; }
`;

/** Within an email's HTML: what it quotes is printed as the message that it quotes. */
const shadowStyle =
  ':host { display: block; } img { max-width: 100%; } pre { white-space: pre-wrap; } .frontdesk-quote { display: none; }';

/** The part of a page of `mailPage` that is its body. */
function bodyOf(page: string): string {
  const from = page.indexOf('<body>');
  const to = page.lastIndexOf('</body>');
  return from < 0 || to < from ? '' : page.slice(from + '<body>'.length, to);
}

/** HTML is in a shadow tree, so that the styles of one email do not change the others. */
function contentOf({ page, text }: PrintedEmail): string {
  if (page === null) return textToHtml(text);
  return `<div><template shadowrootmode="open"><style>${shadowStyle}</style>${bodyOf(page)}</template></div>`;
}

function articleOf(email: PrintedEmail): string {
  const facts = email.facts.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  return `<article><header><time>${escapeHtml(email.time)}</time><h2>${escapeHtml(email.sender)}</h2><dl>${facts}</dl></header>
${contentOf(email)}
</article>`;
}

/** A document of emails, one below the other, made for paper. */
export function printPage({ title, omitted, emails }: PrintedThread): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body data-printable>
<h1>${escapeHtml(title)}</h1>
${omitted === null ? '' : `<p class="note">${escapeHtml(omitted)}</p>`}
${emails.map(articleOf).join('\n')}
</body>
</html>
`;
}
