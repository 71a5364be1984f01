import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followPageRequests, pageArrived, pageRequests, watchPageRequests } from './page-requests';

const pageHeaders = { RSC: '1', 'Next-Router-State-Tree': 'x' };
const network = vi.fn<typeof fetch>();
let events: EventTarget;
let stop: () => void;

beforeEach(() => {
  events = new EventTarget();
  network.mockReset();
  vi.stubGlobal('window', {
    location: new URL('http://desk.example/customers'),
    fetch: network,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  });
  stop = watchPageRequests();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const go = (path: string, headers: Record<string, string> = pageHeaders) =>
  window.fetch(new URL(path, 'http://desk.example'), { headers });

it('says that a page is on its way until it is shown', async () => {
  let answer: (response: Response) => void = () => {};
  network.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const seen = vi.fn();
  const unfollow = followPageRequests(seen);
  const going = go('/agents?_rsc=1');
  expect(pageRequests()).toEqual({ isLoading: true, isUnreachable: false });
  answer(new Response('page'));
  await going;
  pageArrived();
  expect(pageRequests().isLoading).toBe(false);
  expect(seen).toHaveBeenCalledTimes(2);
  unfollow();
});

it('leaves alone what is fetched ahead of a click, the page that is shown, and everything else', async () => {
  network.mockResolvedValue(new Response('page'));
  await go('/agents', { ...pageHeaders, 'Next-Router-Prefetch': '1' });
  await go('/customers?_rsc=1');
  await go('/api/trpc/x', { 'content-type': 'application/json' });
  expect(pageRequests().isLoading).toBe(false);
  network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(go('/api/trpc/x', {})).rejects.toThrow('Failed to fetch');
});

it('tries a page again once there is a connection, instead of leaving the one that is shown', async () => {
  network.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce(new Response('page'));
  const going = go('/agents');
  await expect.poll(() => pageRequests()).toEqual({ isLoading: true, isUnreachable: true });
  events.dispatchEvent(new Event('online'));
  expect(await (await going).text()).toBe('page');
  expect(pageRequests().isUnreachable).toBe(false);
});

it('tells who gave up', async () => {
  network.mockRejectedValue(new DOMException('given up', 'AbortError'));
  const controller = new AbortController();
  controller.abort();
  const url = new URL('http://desk.example/agents');
  await expect(window.fetch(url, { headers: pageHeaders, signal: controller.signal })).rejects.toThrow('given up');
  expect(pageRequests().isLoading).toBe(false);
});
