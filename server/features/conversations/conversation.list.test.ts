import { describe, expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk, createTestDesk } from '@/server/testing/desk';
import { deliver } from '@/server/testing/mail';
import { listConversationsInput } from './conversation.schema';
import { updateConversation } from './conversation-update.service';

withFreshDatabase();

const nowhere = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

describe('the list', () => {
  test('leaves archived and spam out unless they are asked for, newest first', async () => {
    const { subjects, list } = await createFilledDesk();
    expect(await subjects()).toEqual(['Second', 'First']);
    expect(await subjects({ isArchived: true })).toEqual(['Third 100%', 'Second', 'First']);
    expect(await subjects({ isSpam: true })).toEqual(['Fourth', 'Second', 'First']);
    expect(await subjects({ isArchived: true, isSpam: true })).toEqual(['Fourth', 'Third 100%', 'Second', 'First']);
    expect(await list({ isArchived: true })).toMatchObject({
      total: 3,
      totalIsExact: true,
      limit: 20,
      offset: 0,
      hasMore: false,
    });
  });

  test.each([
    [{ status: 'completed' }, ['Second']],
    [{ status: 'failed' }, []],
    [{ isRead: false }, ['First']],
    [{ isRead: true }, ['Second']],
    [{ folder: 'inbox' }, ['Second', 'First']],
    [{ folder: 'archived' }, ['Third 100%']],
    [{ folder: 'spam', isSpam: false }, ['Fourth']],
    [{ channel: 'email' }, ['Second', 'First']],
    [{ channel: 'sms' }, []],
    [{ lastMessageAfter: '2026-01-10' }, ['Second']],
    [{ lastMessageAfter: '2026-01-09' }, ['Second', 'First']],
    [{ lastMessageAfter: '2026-01-11T01:00:00+01:00' }, []],
    [{ search: 'BODY of 1' }, ['Second']],
    [{ search: '100%', isArchived: true }, ['Third 100%']],
    [{ search: '1%0', isArchived: true }, []],
    [{ search: '_irst' }, []],
    [{ search: '' }, ['Second', 'First']],
    [{ search: 'ann@quark' }, []],
    [{ query: 'ANN@quark' }, ['Second', 'First']],
    [{ query: 'body of 1' }, ['Second']],
    [{ query: '%' }, []],
    [{ query: '' }, ['Second', 'First']],
    [{ participant: 'ANN@quark.example' }, ['Second', 'First']],
    [{ participant: 'bob@quark.example' }, []],
    [{ isRead: true, status: 'completed', search: 'sec' }, ['Second']],
  ])('shows by %j', async (filter, expected) => {
    const { subjects, list } = await createFilledDesk();
    expect(await subjects(filter)).toEqual(expected);
    expect((await list(filter)).total).toBe(expected.length);
    expect((await list({ ...filter, limit: 1, offset: 7 })).total).toBe(expected.length);
  });

  test('shows by agent', async () => {
    const desk = await createTestDesk();
    const agent = await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' });
    await deliver({ headers: { Subject: 'Plain' } }, { to: desk.address });
    await deliver({ headers: { Subject: 'Assigned' } }, { to: `night@${desk.domain}` });
    expect(await desk.subjects({ agentId: agent.id })).toEqual(['Assigned']);
    expect(await desk.subjects({ agentId: nowhere })).toEqual([]);
  });

  test('is paged, with an exact total', async () => {
    const { list } = await createFilledDesk();
    const page = await list({ limit: 1, offset: 1 });
    expect(page).toMatchObject({ total: 2, limit: 1, offset: 1, hasMore: false });
    expect(page.conversations).toMatchObject([{ subject: 'First' }]);
    expect(await list({ limit: 1 })).toMatchObject({ total: 2, hasMore: true });
    expect(await list({ offset: 5 })).toMatchObject({ total: 2, hasMore: false, conversations: [] });
  });

  test.each([
    { limit: 0 },
    { limit: 101 },
    { offset: -1 },
    { status: 'open' },
    { folder: 'bin' },
    { lastMessageAfter: 'yesterday' },
    { lastMessageAfter: '0000-01-01' },
    { lastMessageAfter: '0000-01-01T00:00:00+23:00' },
    { lastMessageAfter: '9999-12-31T23:59:59-23:59' },

    { agentId: 'x' },
  ])('refuses %j', (filter) => {
    expect(listConversationsInput.safeParse(filter).success).toBe(false);
  });

  test('counts rightly while many write at once', async () => {
    const desk = await createTestDesk();
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const { conversationId } = await deliver({}, { to: desk.address });
        if (index % 2) await updateConversation(desk.actor, { conversationId, isRead: true });
        if (index % 3 === 0) await updateConversation(desk.actor, { conversationId, isArchived: true });
      }),
    );
    expect((await desk.list()).total).toBe(20);
    expect((await desk.list({ isArchived: true })).total).toBe(30);
    expect((await desk.list({ isArchived: true, isRead: true })).total).toBe(15);
  });
});
