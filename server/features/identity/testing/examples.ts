import { addNewAddress, addProvenAddress, codeFor, newDomain, publishRecord } from '@/server/testing/addresses';
import type { Examples, Own } from '@/server/testing/examples';

const newAddress = async ({ actor }: Own) => [{ address: await addNewAddress(actor) }];

export const examples: Examples = {
  bodies: { 'identity.update': { displayName: 'Changed' } },
  own: {
    'identity.addAddress': () => [{ handle: 'sales', address: `sales@${newDomain()}` }],
    'identity.removeAddress': newAddress,
    'identity.useAsOwnAddress': async ({ dns, actor }) => [{ address: await addProvenAddress(dns, actor) }],
    'identity.sendAddressCode': newAddress,
    'identity.confirmAddressCode': async ({ actor }) => {
      const address = await addNewAddress(actor);
      return [{ address, code: await codeFor(actor, address) }];
    },
    'identity.checkAddressDomain': async ({ dns, actor }) => {
      const address = await addNewAddress(actor);
      await publishRecord(dns, actor, address);
      return [{ address }];
    },
  },
  foreign: {
    'identity.get': ({ conversationId, messageId }) => [{}, { conversationId }, { messageId }],
    'identity.addAddress': ({ address }) => [{ handle: 'theirs', address }],
    'identity.removeAddress': ({ address }) => [{ address }],
    'identity.useAsOwnAddress': ({ address }) => [{ address }],
    'identity.sendAddressCode': ({ address }) => [{ address }],
    'identity.confirmAddressCode': ({ address }) => [{ address, code: '12345678' }],
    'identity.checkAddressDomain': ({ address }) => [{ address }],
  },
  async fill({ as, known: { domain }, words }) {
    const services = [{ name: words, description: words, price: 1, currency: 'EUR', billingInterval: 'monthly' as const }];
    const profile = { tagline: words, about: words, website: `https://${domain}/`, services };
    await as.identity.update({ displayName: words, profile });
    return {};
  },
  reference: ['identities'],
  rules: [
    {
      operation: /^PATCH \/identity$/,
      problem: /services\.\d+\.(name|price|currency|billingInterval): is required$/,
      why: 'new services are whole',
    },
    { operation: /^PATCH \/identity$/, problem: /services\.\d+\.id: /, why: 'services are known by their ids' },
  ],
  notFound: {
    'identity.get': ({ sendWithoutIdentity }) => sendWithoutIdentity(),
    'identity.update': ({ sendWithoutIdentity }) => sendWithoutIdentity(),
  },
};
