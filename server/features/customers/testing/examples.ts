import type { Examples } from '@/server/testing/examples';
import { contactGuid } from '../contact-guid';
import { createCustomerInput } from '../customer.schema';
import { createCustomer, deleteCustomer } from '../customer.service';

export const examples: Examples = {
  bodies: {
    'customers.create': { contacts: [{ email: 'new@x.io' }] },
    'customers.update': { company: 'Changed' },
    'customers.addContact': { email: 'new@x.io' },
  },
  records: {
    parameters: ['id', 'guid'],
    async create({ actor }) {
      const contacts = [{ email: 'ann@x.io' }, { email: 'bob@x.io' }];
      const { id } = await createCustomer(actor, createCustomerInput.parse({ contacts, company: 'Theirs', tags: ['a'] }));
      return { id, guid: contactGuid('ann@x.io') };
    },
  },
  own: {
    'customers.restore': async ({ actor, ids: { id = '' } }) => {
      await deleteCustomer(actor, id);
      return [{ id }];
    },
  },
  foreign: {
    'customers.list': ({ customerEmail }) => [{}, { query: 'secret' }, { tag: 'secret' }, { email: customerEmail }],
    'customers.create': ({ guid, customerEmail }) => [{ contacts: [{ guid }] }, { contacts: [{ email: customerEmail, guid }] }],
    'customers.addContact': ({ id, guid }) => [{ id, guid }],
    'customers.suggestContacts': () => [{ query: 'secret' }, { query: 'ann' }],
  },
  async fill({ as, known: { domain, marker }, words }) {
    const customerEmail = `ann@${domain}`;
    const { id } = await as.customers.create({
      contacts: [{ email: customerEmail, displayName: words }, { email: `bob@${domain}` }],
      ...{ company: words, phone: marker, tags: ['secret', marker], notes: words, metadata: { words } },
    });
    return { id, guid: contactGuid(customerEmail), customerEmail };
  },
  unaudited: ['customer_counts'],
  rules: [
    { operation: /customers/, problem: /email: is required unless guid is given$/, why: 'a contact needs one of the two' },
    {
      operation: /customers/,
      problem: /guid: is not the guid of this e-mail address$/,
      why: 'guids are computed from addresses',
    },
    { operation: /customers$/, problem: /^search: can’t be combined with query$/, why: 'two fields against each other' },
  ],
  notFound: {
    'customers.create': ({ send }) => send({ json: { contacts: [{ guid: contactGuid('unknown@x.io') }] } }),
  },
  conflicts: {
    'customers.create': ['contact_conflict', ({ send }) => send({ json: { contacts: [{ email: 'ann@x.io' }] } })],
    'customers.addContact': [
      'contact_conflict',
      async ({ send, call, caller: { key } }) => {
        const contact = { email: 'carol@x.io' };
        await call('POST', '/api/v1/identity/customers', { key, json: { contacts: [contact] } });
        return send({ json: contact });
      },
    ],
  },
};
