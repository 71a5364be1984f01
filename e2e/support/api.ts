import type { APIRequestContext } from '@playwright/test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { IdentityRecord, Profile } from '@/server/features/addresses/identity-record.schema';
import { agentListSchema } from '@/server/features/agents/agent.schema';
import { createApiKey, revokeApiKey } from '@/server/features/api-keys/api-key.service';
import { blogPostAnswerSchema } from '@/server/features/blog/blog-post.schema';
import { type CreateEventRequest, type EventRecord, eventAnswerSchema } from '@/server/features/calendar/calendar.schema';
import { messageListSchema } from '@/server/features/conversations/message.schema';
import { type CustomerList, type CustomerRecord, customerSchema } from '@/server/features/customers/customer.schema';
import { deliver, type TestMail } from '@/server/testing/mail';
import { test as base, expect, type Tenant } from './test';

/** The parts of the OpenAPI document that tests use. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query'; schema: object }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { $ref?: string }>;
}

export interface DocumentedOperation extends Operation {
  method: string;
  path: string;
}

/** Checks responses against the document that the installation under test serves. */
export class Contract {
  readonly operations: DocumentedOperation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    formats.default(this.ajv);
    this.ajv.addSchema(document, 'document');
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
  }

  /** The operation of a path. A path with fewer parameters wins, whatever its methods. */
  find(method: string, pathname: string): DocumentedOperation | undefined {
    const matches = this.operations
      .filter(({ path }) => {
        const pattern = path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/]+');
        return new RegExp(`^${pattern}$`).test(pathname);
      })
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
    return matches.find((operation) => operation.path === matches[0]?.path && operation.method === method);
  }

  private validator(pointer: string): ValidateFunction {
    const known = this.compiled.get(pointer) ?? this.ajv.compile({ $ref: `document#${pointer}` });
    this.compiled.set(pointer, known);
    return known;
  }

  /** Fails unless the document declares this status and the body matches. */
  check(operation: DocumentedOperation, status: number, body: unknown): void {
    const name = `${operation.method} ${operation.path}`;
    const response = operation.responses[status];
    expect(response, `${name} answers ${status}, which is not documented`).toBeDefined();
    const own = `/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}/responses/${status}`;
    const validate = this.validator(`${response?.$ref?.slice(1) ?? own}/content/application~1json/schema`);
    expect([name, status, validate(body), validate.errors]).toEqual([name, status, true, null]);
  }
}

interface Refusal {
  error: string;
  message: string;
  code: string;
  requestId: string;
  details: { fields: Record<string, string>; customerId: string };
}

/** Everything that a body may contain; each test knows which part of it to expect. */
type AnswerBody = Omit<IdentityRecord, 'profile' | 'updatedAt'> & { profile: Required<Profile> } & CustomerRecord &
  CustomerList &
  Refusal;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: AnswerBody;
}

export interface Call {
  /** The tenant's own by default; null for none. */
  key?: string | null;
  /** Sent as JSON. */
  data?: unknown;
  /** Sent unchanged, as JSON unless a header says otherwise. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

/** A client of the REST API that checks every response against the contract. */
export class Api {
  constructor(
    private readonly request: APIRequestContext,
    readonly contract: Contract,
    readonly tenant: Tenant,
  ) {}

  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const key = call.key === undefined ? this.tenant.key : call.key;
    const data = call.raw ?? (call.data === undefined ? undefined : JSON.stringify(call.data));
    const response = await this.request.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(data === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...call.headers,
      },
      ...(data === undefined ? {} : { data: Buffer.from(data) }),
      maxRedirects: 0,
    });
    const text = await response.text();
    const answer = { status: response.status(), headers: response.headers(), body: text === '' ? undefined : JSON.parse(text) };
    expect(answer.headers['x-request-id']).toBeTruthy();
    if (text !== '') expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    if (answer.status >= 400 && text !== '') expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
    const operation = this.contract.find(method, path.split('?', 1)[0] ?? '');
    if (operation) this.contract.check(operation, answer.status, answer.body);
    return answer;
  }

  get(path: string, call?: Call): Promise<Answer> {
    return this.call('GET', path, call);
  }

  post(path: string, data: unknown, call?: Call): Promise<Answer> {
    return this.call('POST', path, { data, ...call });
  }

  patch(path: string, data: unknown, call?: Call): Promise<Answer> {
    return this.call('PATCH', path, { data, ...call });
  }

  delete(path: string, call?: Call): Promise<Answer> {
    return this.call('DELETE', path, call);
  }

  /** Creates a customer with these contacts; the response is checked. */
  async createCustomer(fields: Record<string, unknown> = {}) {
    const { status, body } = await this.post('/identity/customers', { contacts: [{ email: 'ann@quark.io' }], ...fields });
    expect(status).toBe(201);
    return customerSchema.parse(body);
  }

  /** Creates a draft of a post; the response is checked. */
  async createPost(fields: Record<string, unknown> = {}) {
    const { status, body } = await this.post('/blog/posts', {
      title: 'Wet brakes',
      content: 'Clean them.',
      authorName: 'Mara',
      ...fields,
    });
    expect(status).toBe(201);
    return blogPostAnswerSchema.parse(body).data.post;
  }

  /** Creates an event of one hour; the response is checked. */
  async createEvent(fields: Partial<CreateEventRequest> = {}): Promise<EventRecord> {
    const { status, body } = await this.post('/calendar/events', {
      title: 'Meeting',
      startTime: '2026-11-24T09:00:00Z',
      endTime: '2026-11-24T10:00:00Z',
      ...fields,
    });
    expect(status).toBe(201);
    return eventAnswerSchema.parse(body).event;
  }

  /** Stores an incoming message for the inbox manager directly in the database, as another server would. */
  receive(mail: TestMail = {}) {
    return deliver(mail, { to: `inbox-manager@${this.tenant.handle}.localhost` });
  }

  /** Stores an incoming message with an attachment. */
  async receiveAttachment(headers: Record<string, string> = {}) {
    const delivery = await this.receive({ headers: { 'Content-Type': 'application/pdf; name="plan.pdf"', ...headers } });
    const path = `/conversations/${delivery.conversationId}/messages?includeAttachments=true`;
    const { messages } = messageListSchema.parse((await this.get(path)).body);
    const attachment = messages[0]?.attachments[0];
    if (!attachment) throw new Error('the message has no attachment');
    return { ...delivery, attachmentId: attachment.id, attachment };
  }

  /** The inbox manager of the identity. */
  async firstAgent() {
    const { body } = await this.get('/identity/agents?kind=inbox-manager');
    const [agent] = agentListSchema.parse(body).agents;
    if (!agent) throw new Error('the identity has no inbox manager');
    return agent;
  }
}

interface Fixtures {
  /** A client for the test's own tenant. */
  api: Api;
  /** A client with another tenant's key. */
  stranger: Api;
  /** Further keys of the tenant, created and revoked directly in the database, as the dashboard of another server would. */
  keys: {
    create(expiresAt?: Date): Promise<{ id: string; key: string }>;
    revoke(id: string): Promise<void>;
  };
}

export const test = base.extend<Fixtures, { contract: Contract }>({
  contract: [
    async ({ playwright }, use, { project }) => {
      const request = await playwright.request.newContext({ baseURL: project.use.baseURL });
      const document = (await (await request.get('/api/v1/openapi.json')).json()) as OpenApiDocument;
      await request.dispose();
      await use(new Contract(document));
    },
    { scope: 'worker' },
  ],
  api: async ({ request, contract, tenant }, use) => use(new Api(request, contract, tenant)),
  stranger: async ({ request, contract, createTenant }, use) => use(new Api(request, contract, await createTenant())),
  keys: async ({ tenant: { identityId } }, use) => {
    const actor = { kind: 'system', identityId } as const;
    await use({
      create: async (expiresAt) => {
        const { key, apiKey } = await createApiKey(actor, { name: 'Further', expiresAt: expiresAt?.toISOString() ?? null });
        return { id: apiKey.id, key };
      },
      revoke: async (id) => {
        await revokeApiKey(actor, id);
      },
    });
  },
});

export { expect };
