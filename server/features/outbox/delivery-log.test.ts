import { beforeAll, describe, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { resendMail } from '@/server/features/mail/outbox-list.service';
import { getOutboxMail } from '@/server/features/mail/outbox-mail.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bounceMail, deliver } from '@/server/testing/mail';
import { queueReply } from '@/server/testing/queued-reply';
import { withMailServer } from '@/server/testing/smtp-server';
import { sendMail } from './sending.service';

withFreshDatabase();
const mailServer = withMailServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

const queuedReply = (input: Parameters<typeof queueReply>[2] = {}) => queueReply(desk, 'desk@here.example', input);

describe('the delivery log', () => {
  const attempt = { kind: 'attempt', delivered: [], refusals: {}, error: null, response: '' };
  const logOf = async (id: string) => (await getOutboxMail(desk.actor, id)).log;

  test('has each attempt, newest first, with the result for each recipient, also after sending again', async () => {
    const [ann, gone] = ['ann@quark.example', 'gone@quark.example'];
    mailServer.behave({
      recipient: (address) =>
        address === gone ? { code: 550, message: '5.1.1 Gone' } : { code: 450, message: '4.2.0 Greylisted' },
    });
    const { id } = await queuedReply({ cc: [gone] });
    await sendMail(id, recordDelivery);
    const first = { ...attempt, refusals: { [gone]: '550 5.1.1 Gone' }, error: '450 4.2.0 Greylisted' };
    expect(await logOf(id)).toEqual([{ ...first, at: (await getOutboxMail(desk.actor, id)).lastAttemptAt }]);
    expect((await getOutboxMail(desk.actor, id)).deliveries).toEqual([
      { email: ann, status: 'pending', error: null },
      { email: gone, status: 'failed', error: '550 5.1.1 Gone' },
    ]);
    mailServer.behave({});
    await sendMail(id, recordDelivery);
    await resendMail(desk.actor, id);
    await sendMail(id, recordDelivery);
    const response = expect.stringMatching(/^250 /);
    expect(await logOf(id)).toMatchObject([
      { ...attempt, delivered: [gone], response },
      { ...attempt, delivered: [ann], response },
      first,
    ]);
    expect((await getOutboxMail(desk.actor, id)).deliveries.map(({ status }) => status)).toEqual(['sent', 'sent']);
  });

  test('has a bounce, once for each recipient', async () => {
    const { id, message } = await queuedReply();
    await sendMail(id, recordDelivery);
    await deliver(bounceMail(message.messageIdHeader, 'failed'), { to: 'desk@here.example', sender: '' });
    const [bounce, ...attempts] = await logOf(id);
    expect(bounce).toMatchObject({
      ...attempt,
      kind: 'returned',
      refusals: { 'ann@quark.example': expect.stringMatching(/^Returned: /) },
    });
    expect(attempts).toHaveLength(1);
    expect((await getOutboxMail(desk.actor, id)).deliveries).toMatchObject([{ status: 'failed' }]);
    const again = bounceMail(message.messageIdHeader, 'failed');
    const events = await eventsOf(desk, () =>
      deliver({ ...again, body: again.body.replace('no such user', 'another reason') }, { to: 'desk@here.example', sender: '' }),
    );
    expect(events.map(({ type }) => type)).not.toContain('message.bounced');
    expect(await logOf(id)).toEqual([bounce, ...attempts]);
  });

  test('keeps its newest 50 entries', async () => {
    const { id } = await queuedReply();
    const old = Array.from({ length: 50 }, (_, index) => ({ ...attempt, at: new Date(index).toISOString() }));
    await prisma().outboxMail.update({ where: { id }, data: { deliveryLog: old } });
    await sendMail(id, recordDelivery);
    const log = await logOf(id);
    expect([log.length, log[0]?.delivered, log.at(-1)?.at]).toEqual([50, ['ann@quark.example'], new Date(1).toISOString()]);
  });

  test('keeps a response that is cut within a character', async () => {
    mailServer.behave({ recipient: () => ({ code: 550, message: `5.1.1 ${'x'.repeat(489)}😀` }) });
    const { id } = await queuedReply();
    await sendMail(id, recordDelivery);
    const [refused] = await logOf(id);
    expect(Object.values(refused?.refusals ?? {})[0]?.isWellFormed()).toBe(true);
  });
});
