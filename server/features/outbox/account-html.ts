import { escapeHtml } from '@/server/platform/html/text-to-html';
import { mailPage } from '@/server/platform/mail/layout/html-page';
import { paragraphs } from '@/server/platform/mail/layout/html-pieces';
import { font, look } from '@/server/platform/mail/layout/html-style';
import type { Notice } from './account-copy.service';

/** A paragraph that is nothing but a code to be typed. */
const codeOnly = /^\d{4,10}$/;

function paragraphHtml(text: string): string {
  const margin = 'margin:0 0 16px';
  if (codeOnly.test(text)) return `<p ${look('text', `${font('code', 600)};letter-spacing:4px;${margin}`)}>${text}</p>`;
  return `<div ${look('text', `${font('body')};${margin};word-break:break-word;overflow-wrap:anywhere`, 'fd-plain')}>${paragraphs(text)}</div>`;
}

/** The HTML of an email to an account holder. */
export function accountHtml({ subject, text, language, business, footer }: Notice): string {
  return mailPage({
    language,
    subject,
    sender: business || 'Frontdesk',
    head: `<h1 dir="auto" ${look('text', `${font('title', 600)};margin:0;word-break:break-word`)}>${escapeHtml(subject)}</h1>`,
    blocks: [text.split('\n\n').map(paragraphHtml).join('')],
    footer: footer ?? '',
  });
}
