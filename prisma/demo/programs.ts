import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiKey, listApiKeys } from '@/server/features/api-keys/api-key.service';
import { createEventInput } from '@/server/features/calendar/calendar.schema';
import { createEvent } from '@/server/features/calendar/event.service';
import { contactGuid } from '@/server/features/customers/contact-guid';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer, getCustomerByContact, updateCustomer } from '@/server/features/customers/customer.service';
import { createWebhookInput } from '@/server/features/webhooks/webhook.schema';
import { createWebhook, listWebhooks, updateWebhook } from '@/server/features/webhooks/webhook.service';
import type { ApiKeyActor, SystemActor } from '@/server/platform/actor';
import type { KeyScope } from '@/server/platform/auth/scopes.schema';
import { prisma } from '@/server/platform/db/prisma';
import { env, overrideEnv } from '@/server/platform/env';

/**
 * The programs that work with the demo's business: an agent and the form of its website, each with a key, and a receiver of webhooks in
 * this process. Addresses at `/newsletter` answer 503, to show what that looks like.
 */

/**
 * Starts the receiver, and lets webhooks reach it.
 * @param wanted the port of the start before, so that the webhooks' addresses stay
 * @returns its port
 */
export async function startReceiver(wanted: number): Promise<number> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isAway = request.url === '/newsletter';
      response.writeHead(isAway ? 503 : 200, { 'Content-Type': 'text/plain' });
      response.end(isAway ? 'The newsletter is moving to another server.' : 'Taken by the demo.');
    });
  });
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const port = await listen(wanted).catch(() => listen(0));
  // The process ends without waiting for it.
  server.unref();
  overrideEnv({ OUTBOUND_ALLOWLIST: [...env().OUTBOUND_ALLOWLIST, { host: '127.0.0.1', port }] });
  return port;
}

const webhooks = [
  { path: '/workshop', events: ['customer.*', 'calendar.event.*'], description: 'Workshop software: customers and appointments' },
  { path: '/newsletter', events: ['customer.created'], description: 'Newsletter: welcome new customers' },
] as const;

/** Adds the webhooks that are missing before the demo is complete, and lets those of the receiver follow it to another port. */
export async function ensureWebhooks(actor: SystemActor, port: number, isComplete: boolean): Promise<void> {
  const existing = (await listWebhooks(actor)).webhooks;
  for (const { path, events, description } of webhooks) {
    const url = `http://127.0.0.1:${port}${path}`;
    const found = existing.find((webhook) => webhook.description === description);
    if (found && found.url !== url) await updateWebhook(actor, { webhookId: found.id, url });
    if (!found && !isComplete) await createWebhook(actor, createWebhookInput.parse({ url, events, description }));
  }
}

async function ensureKey(
  actor: SystemActor,
  name: string,
  scopes: KeyScope[],
  agent?: ApiKeyActor['agent'],
): Promise<ApiKeyActor> {
  const existing = (await listApiKeys(actor)).find((key) => key.name === name);
  const { id } = existing ?? (await createApiKey(actor, { name, expiresAt: null, scopes, agentId: agent?.id })).apiKey;
  const { identityId } = actor;
  const { ownerUserId, plan } = await prisma().identity.findUniqueOrThrow({ where: { id: identityId } });
  return { kind: 'apiKey', apiKeyId: id, identityId, ownerUserId, plan, name, scopes, agent: agent ?? null };
}

/** What the programs do on the day of the first start: the newest events of the log. */
export async function seedPrograms(actor: SystemActor, fleetAdvisor: string): Promise<void> {
  const form = await ensureKey(actor, 'Website form', ['customers:write']);
  const agent = await ensureKey(
    actor,
    'Fleet advisor',
    ['customers:write', 'conversations:write', 'conversations:send', 'calendar:write', 'usage:write', 'events:read'],
    { id: fleetAdvisor, name: 'Fleet advisor', status: 'active' },
  );
  const contacts = [{ email: 'jonas@pilotboats.example', displayName: 'Jonas Petersen' }];
  const isDone = await getCustomerByContact(actor, contactGuid(contacts[0]?.email ?? '')).then(
    () => true,
    () => false,
  );
  if (isDone) return;
  const asked = await createCustomer(
    form,
    createCustomerInput.parse({ company: 'Pilot Boats Hamburg', contacts, notes: 'Asked for fleet care by the form: 12 bikes.' }),
  );
  await updateCustomer(agent, { id: asked.id, tags: ['fleet', 'lead'] });
  const visit = new Date();
  visit.setUTCDate(visit.getUTCDate() + 6);
  visit.setUTCHours(9, 0, 0, 0);
  const times = { startTime: visit.toISOString(), endTime: new Date(visit.getTime() + 3_600_000).toISOString() };
  await createEvent(
    agent,
    createEventInput.parse({ title: 'First visit: Pilot Boats', location: 'Pier 7', timezone: 'Europe/Berlin', ...times }),
  );
  await updateCustomer(agent, { id: asked.id, notes: `${asked.notes} First visit next week.` });
}
