import { expect, test } from '../support/api';

test.describe('conversations over REST', () => {
  test('are listed, read, answered and put away', async ({ api }) => {
    const { conversationId, messageId } = await api.receive({ headers: { Subject: 'Opening hours' }, body: 'Open on Saturday?' });
    const list = await api.get('/conversations');
    expect(list.status).toBe(200);
    expect(list.body).toMatchObject({
      conversations: [
        {
          id: conversationId,
          identityId: api.tenant.identityId,
          subject: 'Opening hours',
          channel: 'email',
          preview: 'Open on Saturday?',
          status: 'pending',
          isRead: false,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    });
    expect((await api.get(`/conversations/${conversationId}`)).body).toMatchObject({
      assignedAgents: [{ roleId: 'inbox-manager' }],
      linkedTasks: [],
      metadata: {},
      messageCount: 1,
    });
    expect((await api.get(`/conversations/${conversationId}/messages`)).body).toMatchObject({
      messages: [{ id: messageId, direction: 'inbound', status: 'received', text: 'Open on Saturday?', attachments: [] }],
      total: 1,
      limit: 100,
      offset: 0,
      hasMore: false,
    });
    const reply = await api.post(`/conversations/${conversationId}/messages`, { text: 'From nine.' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ direction: 'outbound', status: 'queued', to: [{ email: 'ann@quark.example' }] });
    expect((await api.get('/conversations?status=waiting_customer&isRead=true')).body).toMatchObject({ total: 1 });
    expect((await api.patch(`/conversations/${conversationId}`, { isArchived: true })).body).toMatchObject({ isArchived: true });
    expect((await api.get('/conversations')).body).toMatchObject({ conversations: [], total: 0 });
    expect((await api.get('/conversations?isArchived=1')).body).toMatchObject({ total: 1 });
  });

  test('are threads in the older form, which says where to go', async ({ api }) => {
    const { conversationId, messageId } = await api.receive();
    for (const query of [`conversationId=${conversationId}`, `messageId=${messageId}`]) {
      const { status, headers, body } = await api.get(`/email/thread?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ thread: { id: conversationId, messages: [{ id: messageId }] } });
      expect(headers.deprecation).toMatch(/^@\d+$/);
      expect(headers.link).toMatch(new RegExp(`^<[^>]*/conversations/${conversationId}>; rel="successor-version"$`));
    }
    const neither = await api.get('/email/thread');
    expect(neither.status).toBe(400);
    expect(Object.keys(neither.body.details.fields)).toEqual(['conversationId', 'messageId']);
  });

  test('give the address to reply from', async ({ api }) => {
    const { conversationId, messageId } = await api.receive();
    expect((await api.get(`/identity?conversationId=${conversationId}`)).body).not.toHaveProperty('contextualFromAddress');
    expect((await api.get('/identity?messageId=x')).status).toBe(400);
    expect((await api.get('/identity?conversationId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50')).status).toBe(404);
    expect((await api.get(`/identity?messageId=${messageId}`)).status).toBe(200);
  });

  test('have their files, byte by byte and only for their owner', async ({ api, stranger, request }) => {
    const { attachment } = await api.receiveAttachment();
    const url = attachment.downloadUrl;
    const get = (key: string) => request.get(url, { headers: { Authorization: `Bearer ${key}` } });
    const answer = await get(api.tenant.key);
    expect(answer.status()).toBe(200);
    expect((await answer.body()).toString()).toBe('Hello');
    expect(answer.headers()).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
    expect(answer.headers()['content-disposition']).toContain('attachment; filename="plan.pdf"');
    expect((await get(stranger.tenant.key)).status()).toBe(404);
    expect((await request.get(url)).status()).toBe(401);
  });

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'status=open',
    'isRead=yes',
    'isArchived=2',
    'agentId=x',
    'lastMessageAfter=soon',
    'lastMessageAfter=2026-13-01',
  ]) {
    test(`refuse ?${query}`, async ({ api }) => {
      const { status, body } = await api.get(`/conversations?${query}`);
      expect(status).toBe(400);
      expect(Object.keys(body.details.fields)).toEqual([query.split('=', 1)[0]]);
    });
  }

  for (const query of ['limit=201', 'limit=0', 'order=up', 'direction=both', 'includeAttachments=maybe']) {
    test(`refuse messages?${query}`, async ({ api }) => {
      const { conversationId } = await api.receive();
      const { status, body } = await api.get(`/conversations/${conversationId}/messages?${query}`);
      expect(status).toBe(400);
      expect(Object.keys(body.details.fields)).toEqual([query.split('=', 1)[0]]);
    });
  }
});
