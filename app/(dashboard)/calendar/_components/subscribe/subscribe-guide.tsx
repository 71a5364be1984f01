const programs: { name: string; steps: string }[] = [
  {
    name: 'Apple Calendar',
    steps: 'File, New Calendar Subscription, paste the address. On an iPhone, “Open in calendar app” is enough.',
  },
  { name: 'Google Calendar', steps: 'On a computer: the + beside “Other calendars”, From URL, paste the address.' },
  { name: 'Outlook', steps: 'Add calendar, Subscribe from web, paste the address.' },
];

/** Where in the common calendar programs the address goes. */
export function SubscribeGuide() {
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-label text-accent-text">How to add it to your calendar</summary>
      <dl className="mt-1 flex flex-col gap-2 text-label">
        {programs.map(({ name, steps }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{steps}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-label text-muted">
        Changes show once the program asks again: most do so every few hours, Google about once a day. Google and Outlook on the
        web fetch the address themselves, so this installation has to be reachable from the internet for them.
      </p>
    </details>
  );
}
