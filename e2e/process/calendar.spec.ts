import { expect, test } from '../support/base-test';
import { clientOf, kill } from '../support/demo';
import { startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk } from '../support/own-installation';

/** Reminders and `kill -9`: each is sent, and to each person once. */

let outside: OutsideMailServer;

test.beforeEach(async () => {
  outside = await startOutsideMailServer();
});

test.afterEach(() => outside.close());

const guests = ['ann@quark.example', 'bob@quark.example'];

/** An event that begins in so many milliseconds, with a reminder at its start. */
function eventIn(milliseconds: number) {
  const start = Date.now() + milliseconds;
  return {
    title: 'Kept appointment',
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 3_600_000).toISOString(),
    reminders: [{ type: 'email', value: 0, unit: 'minutes' }],
    invitees: guests.map((email) => ({ email })),
  };
}

/** The reminders that the other side has accepted: for whom, and under which id. */
function reminders(): { recipient: string | undefined; messageId: string | undefined }[] {
  return outside.accepted
    .filter(({ raw }) => /^Subject: Reminder: Kept/m.test(raw))
    .map(({ raw, recipients }) => ({ recipient: recipients[0], messageId: /^Message-ID: (\S+)/im.exec(raw)?.[1] }));
}

const settings = () => ({ SMTP_URL: outside.url });

for (const moment of ['before they are due', 'while they are being sent'] as const) {
  test(`reminders are sent once though the server was killed ${moment}`, async ({ request }) => {
    const first = await startInstallation({ settings: settings() });
    const desk = await createDesk(first);
    const api = clientOf(request, first, desk.key);
    if (moment === 'before they are due') {
      await api.post('/calendar/events', eventIn(4_000));
      await kill(first);
    } else {
      const killed = new Promise<void>((resolve) => {
        outside.behave({
          message: ({ raw }) => {
            if (!/^Subject: Reminder: Kept/m.test(raw)) return undefined;
            void kill(first).then(resolve);
            return 'hang-up';
          },
        });
      });
      await api.post('/calendar/events', eventIn(4_000));
      await killed;
      outside.behave({});
    }
    const second = await startInstallation({ settings: settings(), dataDir: first.dataDir });
    try {
      const everybody = [...guests, desk.email].sort();
      await expect.poll(() => [...new Set(reminders().map(({ recipient }) => recipient))].sort()).toEqual(everybody);
      // What was handed over but could not be noted comes again under its id, and nothing else does.
      expect(new Set(reminders().map(({ messageId }) => messageId)).size).toBe(everybody.length);
      if (moment === 'before they are due') expect(reminders()).toHaveLength(everybody.length);
    } finally {
      await second.stop();
    }
  });
}
