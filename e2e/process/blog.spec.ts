import { startInstallation } from '../support/installation';
import { databaseUnderTest, expect, test } from '../support/test';

test('two servers on one database show the same blog at every moment', async ({ request, tenant, baseURL }) => {
  const second = await startInstallation({ settings: { DATABASE_URL: await databaseUnderTest() } });
  try {
    const servers = [baseURL ?? '', second.baseUrl];
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const data = { title: 'Wet brakes', content: 'State 0.', authorName: 'Mara' };
    const { post } = (await (await request.post('/api/v1/blog/posts', { headers, data })).json()).data;
    const path = `/blog/${tenant.handle}/wet-brakes`;
    const shown = (server: string) => request.get(server + path);

    for (const server of servers) expect((await shown(server)).status()).toBe(404);
    // Each write goes to one server, and is read from the other first, whose cache holds the state before.
    for (let round = 1; round <= 6; round++) {
      const [writer = '', reader = ''] = round % 2 ? servers : [...servers].reverse();
      const address = `${writer}/api/v1/blog/posts/${post.id}`;
      expect((await request.post(`${address}/publish`, { headers })).status()).toBe(200);
      expect((await shown(reader)).status()).toBe(200);
      expect((await request.patch(address, { headers, data: { content: `State ${round}.` } })).status()).toBe(200);
      for (const server of [reader, writer]) expect(await (await shown(server)).text()).toContain(`<p>State ${round}.</p>`);
      expect((await request.post(`${address}/unpublish`, { headers })).status()).toBe(200);
      for (const server of [reader, writer]) expect((await shown(server)).status()).toBe(404);
    }
  } finally {
    await second.stop();
  }
});
