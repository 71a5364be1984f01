import type { Occurrence } from '@/server/platform/ical/series';
import { datePartsOf, shortWhenLabel, startsInLabel, whenLabel } from '../labels';
import {
  answerTally,
  changesBetween,
  type Fact,
  guestFacts,
  joinLink,
  organizerFact,
  whenFacts,
  whereFacts,
} from './event-facts';
import { htmlPart } from './html-part';
import type { MailContent, Question } from './mail-content';
import {
  answerOf,
  type ComposedMail,
  type MailedEvent,
  type MailParties,
  manyLines,
  oneLine,
  spanOf,
  webAddress,
} from './mailed-event';
import { textPart } from './text-part';

/** Pure functions that compose the mails about an event. */

const longestTitleInSubject = 120;

function subjectOf(kind: string, event: MailedEvent): string {
  return `${kind}: ${oneLine(event.title, longestTitleInSubject)} @ ${shortWhenLabel(spanOf(event))}`;
}

/** `Mira Okafor from Harbor`, or the only known name. */
export function senderLabel({ organizerName, businessName, organizerEmail }: MailParties): string {
  const [person, business] = [oneLine(organizerName, 200), oneLine(businessName, 200)];
  if (person && business && person.toLowerCase() !== business.toLowerCase()) return `${person} from ${business}`;
  return person || business || oneLine(organizerEmail);
}

/** A response within a sentence. */
export const answerLabels = { accepted: 'yes', tentative: 'maybe', declined: 'no' } as const;

function questionOf(parties: MailParties): Question | null {
  const url = webAddress(parties.answerUrl);
  if (!url) return null;
  const response = answerOf(parties);
  if (response === 'needs_action') return { text: 'Will you attend?', url, current: null };
  return { text: `Your response: ${answerLabels[response]}. You can still change it.`, url, current: response };
}

function footerOf(parties: MailParties, question: Question | null): string {
  const why = `This email was sent to ${oneLine(parties.invitee.email)} on behalf of ${oneLine(parties.businessName) || senderLabel(parties)}.`;
  return question ? `${why} The response link is personal. Anyone who has it can respond for you.` : why;
}

/** The common content of the mails; each kind overrides parts of it. */
function contentOf(kind: string, intro: string, event: MailedEvent, parties: MailParties): MailContent {
  const span = spanOf(event);
  const question = questionOf(parties);
  const location = oneLine(event.location, 200);
  const status: Fact[] = event.status === 'tentative' ? [{ label: 'Status', lines: ['Not confirmed yet'] }] : [];
  return {
    subject: subjectOf(kind, event),
    sender: oneLine(parties.businessName, 200) || senderLabel(parties),
    preheader: [whenLabel(span), location].filter(Boolean).join(' · '),
    kind,
    isOff: false,
    dateParts: datePartsOf(span),
    title: oneLine(event.title),
    intro,
    changes: [],
    facts: [...whenFacts(event), ...whereFacts(event), ...status],
    join: event.meeting && joinLink(event.meeting),
    people: [organizerFact(parties), ...guestFacts(parties)],
    description: manyLines(event.description),
    question,
    open: null,
    signature: manyLines(parties.signature),
    footer: footerOf(parties, question),
  };
}

function composed(content: MailContent): ComposedMail {
  return { subject: content.subject, text: textPart(content), html: htmlPart(content) };
}

/** To a new invitee. */
export function composeInvitation(event: MailedEvent, parties: MailParties): ComposedMail {
  return composed(contentOf('Invitation', `${senderLabel(parties)} invites you.`, event, parties));
}

/**
 * To an existing invitee.
 *
 * @param before the event in the previous mail; the differences are listed, old and new
 */
export function composeUpdate(event: MailedEvent, before: MailedEvent, parties: MailParties): ComposedMail {
  const changes = changesBetween(before, event);
  const response = answerOf(parties);
  const asksAgain = response !== 'needs_action' && changes.some(({ label }) => label === 'When' || label === 'Repeats');
  const sentences = [
    `${senderLabel(parties)} has updated this event.`,
    ...(manyLines(before.description) === manyLines(event.description) ? [] : ['The description has changed.']),
    ...(asksAgain ? ['Please check that your response is still right.'] : []),
  ];
  return composed({ ...contentOf('Updated', sentences.join(' '), event, parties), changes });
}

/** To an invitee whose event is cancelled, or who was removed from its list. The latter only get its title and time. */
export function composeCancellation(
  event: MailedEvent,
  parties: MailParties,
  { reason }: { reason: 'cancelled' | 'removed' },
): ComposedMail {
  const wasRemoved = reason === 'removed';
  const all = event.series.frequency !== 'none' && !event.occurrence ? ' and all its dates' : '';
  const intro = wasRemoved
    ? 'You are no longer invited to this event. No action needed.'
    : `${senderLabel(parties)} has canceled this event${all}. No action needed.`;
  const content = contentOf(wasRemoved ? 'No longer invited' : 'Canceled', intro, event, parties);
  return composed({
    ...content,
    isOff: true,
    preheader: wasRemoved ? 'You are no longer invited.' : content.preheader,
    facts: [...whenFacts(event), ...(wasRemoved ? [] : whereFacts(event))],
    join: null,
    people: [organizerFact(parties)],
    description: '',
    question: null,
    footer: footerOf(parties, null),
  });
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function reminderIntro(event: MailedEvent, now: number): string {
  const { allDay, timezone, ...span } = spanOf(event);
  const soon = startsInLabel({ ...(span satisfies Occurrence), timezone, allDay }, now);
  if (soon === null) return 'This has started.';
  return allDay ? `${capitalised(soon)}.` : `Starts ${soon}.`;
}

/**
 * Shortly before the event, or one occurrence of it.
 *
 * @param options.now when it is sent
 * @param options.dashboardUrl for the owner: the event in the dashboard. null for an invitee
 */
export function composeReminder(
  event: MailedEvent,
  parties: MailParties,
  { now, dashboardUrl }: { now: number; dashboardUrl: string | null },
): ComposedMail {
  const intro = reminderIntro(event, now);
  const content = contentOf('Reminder', intro, event, parties);
  const href = webAddress(dashboardUrl);
  const preheader = `${intro} ${content.preheader}`;
  if (!href) return composed({ ...content, preheader });
  const tally = answerTally(parties);
  return composed({
    ...content,
    preheader,
    people: [...(tally ? [{ label: 'Responses', lines: [tally] }] : []), ...guestFacts(parties)],
    question: null,
    open: { label: 'Open in dashboard', href },
    footer: footerOf(parties, null),
  });
}
