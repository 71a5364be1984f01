import { type BenchIdentity, benchTags, emailOf, terms } from './fill';
import type { MakeRequest } from './load';
import type { Tenant } from './tenants';

/** The four operations that are compared, as requests spread evenly over identities. */

const customersPath = '/api/v1/identity/customers';

function at<T>(list: readonly T[], n: number): T {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

function keyOf(tenant: BenchIdentity, n: number): string {
  return at(tenant.keys, Math.floor(n / 20));
}

/** The n-th number of a sequence that visits 0 … 2³²-1 in a scattered order. */
function scattered(n: number): number {
  return Math.imul(n, 2_654_435_761) >>> 0;
}

export function getById(tenants: readonly Tenant[]): MakeRequest {
  return (n) => {
    const tenant = at(tenants, n);
    return { path: `${customersPath}/${at(tenant.customerIds, scattered(n))}`, key: keyOf(tenant, n) };
  };
}

export function listOf50(tenants: readonly BenchIdentity[]): MakeRequest {
  return (n) => {
    const tenant = at(tenants, n);
    return { path: `${customersPath}?limit=50&offset=${(scattered(n) % 10) * 50}`, key: keyOf(tenant, n) };
  };
}

/** Words that a few, some and many customers have. */
const searched = ['greek', 'danish wine', 'harbour', 'Bakery', 'lawyer', terms.seldom, 'appointment', 'guitar', 'Q&A', 'Labs'];

export function search(tenants: readonly BenchIdentity[]): MakeRequest {
  return (n) => {
    const tenant = at(tenants, n);
    const query = at(searched, Math.floor(n / tenants.length));
    return { path: `${customersPath}?limit=50&q=${encodeURIComponent(query)}`, key: keyOf(tenant, n) };
  };
}

/** @param run makes e-mail addresses differ from those of other runs */
export function create(tenants: readonly BenchIdentity[], run: string): MakeRequest {
  return (n) => {
    const tenant = at(tenants, n);
    return {
      method: 'POST',
      path: customersPath,
      key: keyOf(tenant, n),
      body: {
        company: `Valmar ${n} Ltd`,
        phone: '+49 40 5550 1234',
        tags: ['vip', 'eu'],
        notes: 'Prefers calls in the morning; asked about the spring catalogue and late delivery of the sample order.',
        metadata: { crmId: `R-${n}` },
        contacts: [{ email: `new.${run}.${n}@quark.example`, displayName: `New Person ${n}` }],
      },
    };
  };
}

/** Lists of one identity, by every kind of filter and by how many of its customers a filter matches. */
export function listsOf(identity: BenchIdentity): Record<string, MakeRequest> {
  const list =
    (parameters: (n: number) => Record<string, string>): MakeRequest =>
    (n) => ({ path: `${customersPath}?limit=50&${new URLSearchParams(parameters(n))}`, key: keyOf(identity, n) });
  return {
    'list, first page': list(() => ({})),
    'search: in most customers': list(() => ({ q: terms.common })),
    'search: in twenty': list(() => ({ q: terms.rare })),
    'search: in none': list(() => ({ q: terms.absent })),
    'search: two letters, in most': list(() => ({ q: 'ol' })),
    'tag of every fifth': list(() => ({ tag: benchTags.common })),
    'e-mail': list((n) => ({ email: emailOf(identity, 1 + (scattered(n) % 20_000)) })),
    'search: in one of a thousand': list(() => ({ q: terms.seldom })),
    'search: in one of seventeen': list(() => ({ q: 'greek' })),
    'tag of one in 120': list(() => ({ tag: 'region-3' })),
    'tag and search: one of ninety': list(() => ({ tag: benchTags.common, q: 'greek' })),
    'words: in one of a thousand': list(() => ({ search: terms.seldom })),
    'words: in one of seventeen': list(() => ({ search: 'greek' })),
    'two words, in any order': list(() => ({ search: 'invoice greek' })),
    'words: with a typing error': list(() => ({ search: 'brokhaven' })),
  };
}

/** Those of `listsOf` that do not match more customers the more there are, or find a page among the newest: they stay flat. */
export const flatLists = 7;
