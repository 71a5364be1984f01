import { expect, test } from '../support/api';
import { contactGuid } from '../support/contact-guid';

const notFound = { status: 404, body: { error: 'Not found', message: 'Resource not found or access denied' } };

/** `ann*, bob`: the contacts in their order, the primary one with a star. */
function summary({ contacts }: { contacts: { email: string; isPrimary: boolean }[] }): string {
  return contacts.map(({ email, isPrimary }) => email.replace('@quark.io', isPrimary ? '*' : '')).join(', ');
}

const emails = (...names: string[]) => ({ contacts: names.map((name) => ({ email: `${name}@quark.io` })) });

test('POST adds one: 201 with the customer; one that is there already: 200, unchanged', async ({ api }) => {
  const { id } = await api.createCustomer(emails('zoe'));
  const path = `/identity/customers/${id}/contacts`;
  const added = await api.post(path, { email: ' Ann@Quark.io ', displayName: 'Ann' });
  expect([added.status, summary(added.body)]).toEqual([201, 'zoe*, ann']);
  for (const contact of [{ email: 'ANN@quark.io', displayName: 'Other' }, { guid: contactGuid('ann@quark.io') }]) {
    const again = await api.post(path, contact);
    expect([again.status, again.body]).toEqual([200, added.body]);
  }
});

test('POST takes a known guid; an unknown one is not found', async ({ api }) => {
  const first = await api.createCustomer(emails('ann', 'bob'));
  await api.delete(`/identity/customers/${first.id}/contacts/${contactGuid('bob@quark.io')}`);
  const second = await api.createCustomer(emails('zoe'));
  const path = `/identity/customers/${second.id}/contacts`;
  const added = await api.post(path, { guid: contactGuid('bob@quark.io') });
  expect([added.status, summary(added.body)]).toEqual([201, 'zoe*, bob']);
  expect(await api.post(path, { guid: contactGuid('nobody@quark.io') })).toMatchObject(notFound);
  expect(await api.post('/identity/customers', { contacts: [{ guid: contactGuid('nobody@quark.io') }] })).toMatchObject(notFound);
});

test('a contact of another customer is a conflict that names the customer, and nothing changes', async ({ api }) => {
  const owner = await api.createCustomer(emails('ann'));
  const other = await api.createCustomer(emails('bob'));
  const conflict = { status: 409, body: { code: 'contact_conflict', details: { customerId: owner.id } } };
  for (const contact of [{ email: 'Ann@quark.io' }, { guid: contactGuid('ann@quark.io') }]) {
    expect(await api.post(`/identity/customers/${other.id}/contacts`, contact)).toMatchObject(conflict);
    expect(await api.post('/identity/customers', { contacts: [{ email: 'new@quark.io' }, contact] })).toMatchObject(conflict);
  }
  expect((await api.get('/identity/customers')).body).toMatchObject({ total: 2, customers: [other, owner] });
  expect(await api.get(`/identity/customers/by-contact/${contactGuid('new@quark.io')}`)).toMatchObject(notFound);
});

test('the same e-mail is a contact of its own with every identity', async ({ api, stranger }) => {
  const mine = await api.createCustomer(emails('ann'));
  const theirs = await stranger.createCustomer(emails('ann'));
  expect(theirs.contacts[0]?.guid).toBe(mine.contacts[0]?.guid);
  expect((await api.get(`/identity/customers/by-contact/${contactGuid('ann@quark.io')}`)).body.id).toBe(mine.id);
  expect((await stranger.get(`/identity/customers/by-contact/${contactGuid('ann@quark.io')}`)).body.id).toBe(theirs.id);
});

test('what names no contact is refused', async ({ api }) => {
  const { id } = await api.createCustomer(emails('ann'));
  for (const [contact, field] of [
    [{}, 'email'],
    [{ email: '' }, 'email'],
    [{ email: 'a@b' }, 'email'],
    [{ email: null }, 'email'],
    [{ guid: 'x' }, 'guid'],
    [{ email: 'bob@quark.io', guid: contactGuid('ann@quark.io') }, 'guid'],
  ] as const) {
    const { status, body } = await api.post(`/identity/customers/${id}/contacts`, contact);
    expect([contact, status, Object.keys(body.details?.fields ?? {})]).toEqual([contact, 400, [field]]);
  }
});

test('DELETE removes one; the oldest of the others becomes primary', async ({ api }) => {
  const { id } = await api.createCustomer(emails('zoe', 'bob', 'ann'));
  const remove = (name: string) => api.delete(`/identity/customers/${id}/contacts/${contactGuid(`${name}@quark.io`)}`);
  const first = await remove('zoe');
  expect([first.status, summary(first.body)]).toEqual([200, 'bob*, ann']);
  expect((await api.get(`/identity/customers/${id}`)).body).toEqual(first.body);
  expect(await remove('zoe')).toMatchObject(notFound);
  await api.post(`/identity/customers/${id}/contacts`, { email: 'zoe@quark.io' });
  expect(summary((await remove('bob')).body)).toBe('ann*, zoe');
});

test('the last contact stays', async ({ api }) => {
  const before = await api.createCustomer(emails('ann'));
  const { status, body } = await api.delete(`/identity/customers/${before.id}/contacts/${contactGuid('ann@quark.io')}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'Cannot remove the last contact', message: expect.any(String), code: 'last_contact' });
  expect((await api.get(`/identity/customers/${before.id}`)).body).toEqual(before);
});

test('of the last two, removed at the same time, exactly one stays', async ({ api }) => {
  for (let round = 0; round < 5; round++) {
    const names = [`a${round}`, `b${round}`];
    const { id } = await api.createCustomer(emails(...names));
    const removals = names.map((name) => api.delete(`/identity/customers/${id}/contacts/${contactGuid(`${name}@quark.io`)}`));
    expect((await Promise.all(removals)).map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await api.get(`/identity/customers/${id}`)).body.contacts).toMatchObject([{ isPrimary: true }]);
  }
});

test('of two customers created with one contact at the same time, exactly one gets it', async ({ api }) => {
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([1, 2, 3].map(() => api.post('/identity/customers', emails(`new${round}`))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const owner = answers.find(({ status }) => status === 201);
    for (const { status, body } of answers) if (status === 409) expect(body.details.customerId).toBe(owner?.body.id);
  }
  expect((await api.get('/identity/customers')).body).toMatchObject({ count: 5, total: 5 });
});
