import type { Fact, JoinLink } from '../mail/event-facts';

/** The facts of an event as a list of labels and values. */

function Value({ lines, href, note }: Fact) {
  return (
    <dd dir="auto">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: printed once; two guests may have one name.
        <span key={at}>{href && at === 0 ? <a href={href}>{line}</a> : line}</span>
      ))}
      {note && <span className="note">{note}</span>}
    </dd>
  );
}

function Join({ label, href, shown, password }: JoinLink) {
  return (
    <div>
      <dt>Meeting</dt>
      <dd>
        <span>{href ? <a href={href}>{label}</a> : label}</span>
        <span className="note">{shown}</span>
        {password && <span className="note">Password: {password}</span>}
      </dd>
    </div>
  );
}

export function Facts({ facts, join = null }: { facts: Fact[]; join?: JoinLink | null }) {
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <Value {...fact} />
        </div>
      ))}
      {join && <Join {...join} />}
    </dl>
  );
}
