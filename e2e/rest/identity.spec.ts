import { expect, test } from '../support/api';

const profile = {
  tagline: 'We care',
  about: 'Since 1999',
  website: 'https://quark.example',
  services: [
    { name: 'Consulting', description: 'By the hour', price: 120.5, currency: 'EUR', billingInterval: 'one-time', active: true },
  ],
};

test('GET answers the identity of the key', async ({ api, tenant }) => {
  const { status, body } = await api.get('/identity');
  expect(status).toBe(200);
  expect(body).toEqual({
    id: tenant.identityId,
    handle: tenant.handle,
    address: null,
    scope: 'business',
    displayName: null,
    profile: null,
    whitelistedAddresses: null,
    revision: 1,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: null,
  });
});

test('PATCH changes only what was sent', async ({ api }) => {
  const first = await api.patch('/identity', { displayName: 'Quark', profile });
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ displayName: 'Quark', profile });
  const second = await api.patch('/identity', { displayName: null });
  expect(second.body).toEqual({
    ...first.body,
    displayName: null,
    revision: first.body.revision + 1,
    updatedAt: second.body.updatedAt,
  });
  expect((await api.get('/identity')).body).toEqual(second.body);
  expect((await api.patch('/identity', {})).body).toEqual(second.body);
});

test('a supplied profile becomes what was sent; null clears it', async ({ api }) => {
  await api.patch('/identity', { profile });
  expect((await api.patch('/identity', { profile: { tagline: 'New', about: null } })).body.profile).toEqual({ tagline: 'New' });
  expect((await api.patch('/identity', { profile: null })).body.profile).toBeNull();
});

test('as a merge patch, left-out fields of the profile stay and null removes', async ({ api }) => {
  await api.patch('/identity', { profile });
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const merged = await api.patch('/identity', { profile: { tagline: null, about: 'New' } }, { headers });
  expect(merged.status).toBe(200);
  const { tagline: _, ...rest } = profile;
  expect(merged.body.profile).toMatchObject({ ...rest, about: 'New' });
  expect(merged.body.profile).not.toHaveProperty('tagline');
  expect((await api.patch('/identity', { profile: null }, { headers })).body.profile).toBeNull();
  const charset = { 'Content-Type': 'Application/Merge-Patch+JSON; charset=utf-8' };
  await api.patch('/identity', { profile }, { headers: charset });
  expect((await api.patch('/identity', { profile: {} }, { headers: charset })).body.profile).toMatchObject(profile);
});

test('services get ids; with its id one is changed, and those left out are gone', async ({ api }) => {
  const [service] = profile.services;
  const { body } = await api.patch('/identity', { profile: { services: [service, { ...service, name: 'Workshop' }] } });
  const [consulting, workshop] = body.profile.services;
  expect(consulting?.id).not.toBe(workshop?.id);
  const changed = await api.patch('/identity', { profile: { services: [{ id: workshop?.id, price: 1 }] } });
  expect(changed.body.profile.services).toEqual([{ ...workshop, price: 1 }]);
  expect((await api.patch('/identity', { profile: { services: [] } })).body.profile).toEqual({ services: [] });
});

test('what was read can be written back, and unknown keys are ignored', async ({ api }) => {
  const { body: before } = await api.patch('/identity', { displayName: 'Quark', profile });
  const { status, body } = await api.patch('/identity', { ...before, unknown: { any: 'thing' } });
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, revision: before.revision + 1, updatedAt: body.updatedAt });
});

test('a body that is no JSON object is refused in the specification’s words', async ({ api }) => {
  for (const raw of ['[]', 'null', '"text"', '5', 'true', '{', '', 'displayName=x', '\ufffe']) {
    const { status, body } = await api.call('PATCH', '/identity', { raw });
    expect([raw, status]).toEqual([raw, 400]);
    expect(body).toMatchObject({ error: 'Invalid request body', message: 'Request body must be a JSON object' });
  }
  expect(await api.call('PATCH', '/identity')).toMatchObject({
    status: 400,
    body: { error: 'Invalid request body', message: 'Request body must be a JSON object' },
  });
});

test('every bad field is named at once, and nothing is changed', async ({ api }) => {
  const service = { name: 'x', price: 1, currency: 'EUR', billingInterval: 'monthly' };
  const { status, body } = await api.patch('/identity', {
    displayName: 5,
    profile: {
      about: 'x'.repeat(1001),
      website: 'javascript:alert(1)',
      services: [
        { ...service, price: -1 },
        { ...service, currency: 'EURO', billingInterval: 'weekly' },
        { ...service, price: '5', active: 'false' },
        'text',
      ],
    },
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'Invalid request', code: 'invalid_request', message: expect.any(String) });
  expect(Object.keys(body.details.fields).sort()).toEqual([
    'displayName',
    'profile.about',
    'profile.services.0.price',
    'profile.services.1.billingInterval',
    'profile.services.1.currency',
    'profile.services.2.active',
    'profile.services.2.price',
    'profile.services.3',
    'profile.website',
  ]);
  expect((await api.get('/identity')).body).toMatchObject({ displayName: null, profile: null, updatedAt: null });
});

test('services are checked against each other and against what is stored', async ({ api }) => {
  const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
  const service = { id, name: 'x', price: 1, currency: 'EUR', billingInterval: 'monthly' };
  const { status, body } = await api.patch('/identity', { profile: { services: [service, service, { name: 'y' }] } });
  expect(status).toBe(400);
  expect(body.details.fields).toEqual({
    'profile.services.1.id': 'is given more than once',
    'profile.services.2.price': 'is required',
    'profile.services.2.currency': 'is required',
    'profile.services.2.billingInterval': 'is required',
  });
});

test('about may have a thousand characters, whatever they are', async ({ api }) => {
  expect((await api.patch('/identity', { profile: { about: '😀'.repeat(1000) } })).status).toBe(200);
  expect((await api.patch('/identity', { profile: { about: '😀'.repeat(1001) } })).status).toBe(400);
});

test('changes at the same time lose nothing', async ({ api }) => {
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await Promise.all([
    api.patch('/identity', { displayName: 'Quark' }),
    api.patch('/identity', { profile: { tagline: 't' } }, { headers }),
    api.patch('/identity', { profile: { about: 'a' } }, { headers }),
    api.patch('/identity', { profile: { website: 'https://w.example' } }, { headers }),
  ]);
  expect((await api.get('/identity')).body).toMatchObject({
    displayName: 'Quark',
    profile: { tagline: 't', about: 'a', website: 'https://w.example' },
  });
});
