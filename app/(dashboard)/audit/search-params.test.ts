import { expect, it } from 'vitest';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { auditInput, isNarrowed, loadAuditSearch, needsViewersClock } from './search-params';

const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

it.each([
  ['', {}],
  [`?resource=customer&id=${id}&what=deleted`, { resource: 'customer', resourceId: id, action: 'deleted' }],
  ['?who=agent', { author: 'agent' }],
  [`?who=owner&key=${id}`, { apiKeyId: id }],
  ['?resource=spaceship&who=me&what=eaten&key=nonsense&from=2026-13-01&to=soon', {}],
  ['?request=req-1', { requestId: 'req-1' }],
  ['?q=+quark++labs+', { search: 'quark  labs' }],
  ['?q=+', {}],
  [`?q=${'x'.repeat(300)}`, { search: 'x'.repeat(200) }],
])('%s asks for what it says, and for nothing no call could take', async (query, expected) => {
  const search = await loadAuditSearch(new URLSearchParams(query));
  expect(auditInput(search)).toEqual(expected);
  expect(listAuditInput.safeParse(auditInput(search)).success).toBe(true);
});

it('takes both dates for days of the viewer’s, the last one included', async () => {
  const search = await loadAuditSearch(new URLSearchParams('?from=2026-11-20&to=2026-11-20'));
  const { from = '', to = '' } = auditInput(search);
  expect(new Date(from).getHours()).toBe(0);
  expect(Date.parse(to) - Date.parse(from)).toBe(24 * 3_600_000);
  expect(needsViewersClock(search)).toBe(true);
});

it('knows whether anything is left out', async () => {
  expect(isNarrowed(await loadAuditSearch(new URLSearchParams('')))).toBe(false);
  expect(isNarrowed(await loadAuditSearch(new URLSearchParams('?q=+')))).toBe(false);
  expect(isNarrowed(await loadAuditSearch(new URLSearchParams('?request=x')))).toBe(true);
});
