import type { IdentityContents } from '@/server/features/accounts/account.schema';

const counted = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What is deleted with a business, one line each, without empty ones. */
export function contentsLabel(contents: IdentityContents): string[] {
  const { customers, conversations, posts, events, agents, apiKeys } = contents;
  const lines: [number, string][] = [
    [customers, counted(customers, 'customer', 'customers')],
    [conversations, `${counted(conversations, 'conversation', 'conversations')} with all messages and files`],
    [posts, `${counted(posts, 'post', 'posts')}, and the public blog`],
    [events, `${counted(events, 'event', 'events')}; invitees are not told`],
    [agents, counted(agents, 'agent', 'agents')],
    [
      apiKeys,
      `${counted(apiKeys, 'active API key', 'active API keys')}; what uses ${apiKeys === 1 ? 'it' : 'them'} stops working`,
    ],
  ];
  return [...lines.filter(([count]) => count > 0).map(([, words]) => words), 'Its addresses, usage figures and change log'];
}
