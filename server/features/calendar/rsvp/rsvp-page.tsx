import { textToHtml } from '@/server/platform/html/text-to-html';
import { spanOf as wholeSpanOf } from '@/server/platform/ical/recurrence';
import type { Answer, InviteeResponse } from '../invitee.schema';
import { datePartsOf } from '../labels';
import { senderLabel } from '../mail/compose';
import { guestFacts, joinLink, organizerFact, whenFacts, whereFacts } from '../mail/event-facts';
import { type MailedEvent, type MailParties, manyLines, oneLine, spanOf } from '../mail/mailed-event';
import { renderDocument } from './document';
import { Facts } from './facts';
import { type AnswerButton, type ResponseState, responseStateOf } from './response-state';

export interface RsvpPage {
  event: MailedEvent;
  parties: MailParties;
  /** The recorded response. */
  response: InviteeResponse;
  /** The response chosen in the mail; only preselected. */
  chosen: Answer | null;
  /** Milliseconds since 1970. */
  now: number;
}

const isOff = ({ event }: RsvpPage) => event.status === 'cancelled';

function introOf({ event, parties, now }: RsvpPage): string {
  const repeats = event.series.frequency !== 'none';
  const sender = senderLabel(parties);
  if (event.status === 'cancelled') {
    return `${sender} has canceled this event${repeats ? ' and all its dates' : ''}. No action needed.`;
  }
  const { end } = wholeSpanOf(event.series);
  return end !== null && end <= now ? `${sender} invited you. This event has ended.` : `${sender} invites you.`;
}

/** A calendar icon, hidden from screen readers: the text below has the same date. */
function CalendarIcon({ event }: RsvpPage) {
  const { weekday, day, month } = datePartsOf(spanOf(event));
  return (
    <div className="leaf" aria-hidden="true">
      <span className="month">{month}</span>
      <span className="day">{day}</span>
      <span>{weekday}</span>
    </div>
  );
}

function Head(page: RsvpPage) {
  return (
    <div className="head">
      <CalendarIcon {...page} />
      <div>
        <p className="kind">{isOff(page) ? 'Canceled' : 'Invitation'}</p>
        <h1 dir="auto">{oneLine(page.event.title)}</h1>
      </div>
    </div>
  );
}

/** The labels alone show the current response; colours only repeat it. */
function Choice({ answer, label, kind }: AnswerButton) {
  return (
    <button type="submit" name="answer" value={answer} className={kind}>
      {kind === 'recorded' && <span aria-hidden="true">✓ </span>}
      {label}
      {kind === 'recorded' && <span className="vh"> (your current response)</span>}
    </button>
  );
}

function readerWords({ parties: { invitee } }: RsvpPage): string {
  const [name, email] = [oneLine(invitee.name, 200), oneLine(invitee.email)];
  return name && name !== email ? `${name} (${email})` : email;
}

function Question({ page, standing }: { page: RsvpPage; standing: ResponseState }) {
  const { heading, text, buttons } = standing;
  return (
    <section className="block" aria-labelledby="question">
      <h2 id="question">{heading}</h2>
      <p>{text}</p>
      {/* Relative, and without a query: the URL is a credential, so it appears only where it is needed. */}
      <form method="post" action="?" className="answers">
        {buttons.map((button) => (
          <Choice key={button.answer} {...button} />
        ))}
      </form>
      <p className="small">
        You’re responding as <bdi>{readerWords(page)}</bdi>.
      </p>
    </section>
  );
}

function Details({ page }: { page: RsvpPage }) {
  const { event, parties } = page;
  const description = manyLines(event.description);
  return (
    <>
      {description && (
        <section className="block typed" aria-label="Description">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: textToHtml escapes all of its input. */}
          <div dangerouslySetInnerHTML={{ __html: textToHtml(description) }} />
        </section>
      )}
      <section className="block" aria-label="People">
        <Facts facts={[organizerFact(parties), ...guestFacts(parties)]} />
      </section>
    </>
  );
}

/** The RSVP page: the event, the recorded response, and three buttons. A complete document. */
export function renderRsvpPage(page: RsvpPage): string {
  const { event, parties, response, chosen } = page;
  const off = isOff(page);
  const standing = off ? null : responseStateOf({ response, chosen, repeats: event.series.frequency !== 'none' });
  const status = event.status === 'tentative' ? [{ label: 'Status', lines: ['Not confirmed yet'] }] : [];
  const kind = off ? 'Canceled' : response === 'needs_action' ? 'Invitation' : standing?.heading.replace(/\.$/, '');
  return renderDocument({
    title: `${kind} · ${oneLine(event.title, 120)}`,
    businessName: oneLine(parties.businessName, 200),
    ...(off ? {} : { foot: 'This link is personal. Anyone who has it can respond for you.' }),
    children: (
      <article className={off ? 'card off' : 'card'}>
        <Head {...page} />
        <div className="block intro">
          <p dir="auto">{introOf(page)}</p>
        </div>
        <div className="block">
          <Facts
            facts={[...whenFacts(event), ...whereFacts(event), ...status]}
            join={off || !event.meeting ? null : joinLink(event.meeting)}
          />
        </div>
        {standing && <Question page={page} standing={standing} />}
        {off ? (
          <section className="block" aria-label="People">
            <Facts facts={[organizerFact(parties)]} />
          </section>
        ) : (
          <Details page={page} />
        )}
      </article>
    ),
  });
}
