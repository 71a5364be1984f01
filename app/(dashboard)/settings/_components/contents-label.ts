import type { IdentityContents } from '@/server/features/accounts/account.schema';

const counted = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What will be deleted with a business, one line each, without empty ones. */
export function contentsLabel(contents: IdentityContents): string[] {
  const { customers, conversations, posts, events, agents, apiKeys } = contents;
  const lines: [number, string][] = [
    [customers, counted(customers, 'customer', 'customers')],
    [conversations, `${counted(conversations, 'conversation', 'conversations')} with all messages and files`],
    [posts, `${counted(posts, 'post', 'posts')}, including the public blog`],
    [events, `${counted(events, 'event', 'events')}; guests aren’t notified`],
    [agents, counted(agents, 'agent', 'agents')],
    [
      apiKeys,
      `${counted(apiKeys, 'active API key', 'active API keys')}; apps using ${apiKeys === 1 ? 'it' : 'them'} stop working`,
    ],
  ];
  return [...lines.filter(([count]) => count > 0).map(([, words]) => words), 'Email addresses, usage figures and audit log'];
}
