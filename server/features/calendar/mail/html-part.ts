import { escapeHtml } from '@/server/platform/html/text-to-html';
import { mailPage } from '@/server/platform/mail/layout/html-page';
import { button, buttons, link, paragraphs, row, table } from '@/server/platform/mail/layout/html-pieces';
import { font, look } from '@/server/platform/mail/layout/html-style';
import type { Change, Fact, JoinLink } from './event-facts';
import { answerLink, answers, type MailContent, type Question } from './mail-content';

/** The HTML of a mail about an event: tables and inline styles, as Outlook and Gmail require. */

function heading(text: string): string {
  return `<h2 ${look('text', `${font('body', 600)};margin:0 0 6px`)}>${escapeHtml(text)}</h2>`;
}

/** A calendar icon, hidden from screen readers: the text below has the same date. */
function calendarIconHtml({ dateParts: leaf, isOff }: MailContent): string {
  const centred = 'text-align:center';
  const month = row(escapeHtml(leaf.month), look(isOff ? 'muted' : 'link', `${font('small', 600)};padding:5px 0 0;${centred}`));
  const day = row(escapeHtml(leaf.day), look('text', `${font('day', 600)};${centred}`));
  const weekday = row(escapeHtml(leaf.weekday), look('muted', `${font('small')};padding:0 0 5px;${centred}`));
  return table(
    month + day + weekday,
    `aria-hidden="true" width="60" ${look(isOff ? 'quiet' : 'soft', 'width:60px;border-radius:8px')}`,
  );
}

function headHtml(content: MailContent): string {
  const kind = `<p ${look(content.isOff ? 'muted' : 'link', `${font('small', 600)};margin:0`)}>${escapeHtml(content.kind)}</p>`;
  const struck = content.isOff ? ';text-decoration:line-through' : '';
  const style = `${font('title', 600)};margin:2px 0 0;word-break:break-word;overflow-wrap:anywhere${struck}`;
  const title = `<h1 dir="auto" ${look(content.isOff ? 'muted' : 'text', style)}>${escapeHtml(content.title)}</h1>`;
  return table(
    `<tr><td width="76" valign="top" style="width:76px">${calendarIconHtml(content)}</td><td valign="middle">${kind}${title}</td></tr>`,
  );
}

const small = (text: string) => `<span ${look('muted', font('small'))}>${escapeHtml(text)}</span>`;

function factValue({ lines, href, note }: Fact): string {
  const [first = '', ...rest] = lines;
  return [href ? link(href, first) : escapeHtml(first), ...rest.map(escapeHtml), ...(note ? [small(note)] : [])].join('<br>');
}

/** Label and value side by side; stacked on a phone. */
function labelled(label: string, value: string): string {
  const labelStyle = look('muted', `${font('label')};width:96px;padding:4px 12px 4px 0`, 'fd-label');
  const valueStyle = look('text', `${font('body')};padding:4px 0;word-break:break-word;overflow-wrap:anywhere`, 'fd-value');
  return `<tr><td width="96" valign="top" ${labelStyle}>${escapeHtml(label)}</td><td valign="top" dir="auto" ${valueStyle}>${value}</td></tr>`;
}

function joinHtml({ label, href, shown, password }: JoinLink): string {
  const lines = [
    href ? link(href, label) : escapeHtml(label),
    small(shown),
    ...(password ? [small(`Password: ${password}`)] : []),
  ];
  return labelled('Meeting', lines.join('<br>'));
}

function factsHtml(facts: Fact[], join: JoinLink | null): string {
  return table(facts.map((fact) => labelled(fact.label, factValue(fact))).join('') + (join ? joinHtml(join) : ''));
}

/** Old and new value stacked, labelled for readers who do not see the strikethrough. */
function changesHtml(changes: Change[]): string {
  const rows = changes.map(({ label, before, after }) => {
    const old = `${small('Was')} <s ${look('muted')}>${escapeHtml(before || 'none')}</s>`;
    const fresh = `${small('Now')} <strong ${look('text', 'font-weight:600')}>${escapeHtml(after || 'none')}</strong>`;
    return labelled(label, `${old}<br>${fresh}`);
  });
  return `${heading('What has changed')}${table(rows.join(''))}`;
}

/** @param isMain false if another button of the mail is the primary one */
function questionHtml({ text, url, current }: Question, isMain: boolean): string {
  const cells = answers.map(({ answer, label }) => {
    const isPrimary = isMain && current === null && answer === 'accepted';
    return button(answerLink(url, answer), label, answer === current ? 'chosen' : isPrimary ? 'primary' : 'plain');
  });
  const plain = `<p ${look('muted', `${font('small')};margin:12px 0 0;word-break:break-all`)}>Or open ${link(url, url)}</p>`;
  return `${heading(text)}${buttons(cells)}${plain}`;
}

function typedHtml(text: string, attributes: string): string {
  return `<div dir="auto" ${attributes}>${paragraphs(text)}</div>`;
}

/** The primary action: the dashboard for the owner, and the meeting shortly before the event. */
function actionOf({ open, join, kind }: MailContent): { href: string; label: string } | null {
  if (open) return open;
  return kind === 'Reminder' && join?.href ? { href: join.href, label: join.label } : null;
}

function blocksHtml(content: MailContent): string[] {
  const { intro, changes, facts, join, people, description, question, signature } = content;
  const action = actionOf(content);
  const pressed = action ? `<div style="padding-top:14px">${buttons([button(action.href, action.label, 'primary')])}</div>` : '';
  const wrapping = 'word-break:break-word;overflow-wrap:anywhere';
  return [
    `<p ${look('text', `${font('lead')};margin:0`)}>${escapeHtml(intro)}</p>${pressed}`,
    ...(changes.length > 0 ? [changesHtml(changes)] : []),
    factsHtml(facts, join),
    ...(question ? [questionHtml(question, !action)] : []),
    ...(description ? [typedHtml(description, look('text', `${font('body')};${wrapping}`, 'fd-plain'))] : []),
    ...(people.length > 0 ? [factsHtml(people, null)] : []),
    ...(signature ? [typedHtml(signature, look('muted', `${font('small')};${wrapping}`, 'fd-plain'))] : []),
  ];
}

/** The whole HTML document. */
export function htmlPart(content: MailContent): string {
  const { subject, preheader, sender, footer } = content;
  return mailPage({ language: 'en', subject, preheader, sender, head: headHtml(content), blocks: blocksHtml(content), footer });
}
