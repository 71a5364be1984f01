// Generated from the OpenAPI document by scripts/generate.ts; not edited by hand.

import type { AllMethod, MergePatchMethod, OutputOf, ReadMethod, WriteMethod } from '../methods.js';

export interface IdentityOperations {
  /**
   * Get the identity of this key
   *
   * With `conversationId` or `messageId`, also the address to reply from in that conversation.
   *
   * `GET /identity`
   */
  get: ReadMethod<'identity-get'>;

  /**
   * Change the identity
   *
   * Only supplied fields change. Inside a supplied `profile`, a field sent as null or left out is removed; with `Content-Type: application/merge-patch+json` a left-out field stays. `services` replaces the list: an item with a known `id` is that service, one without gets an id.
   *
   * `PATCH /identity`
   */
  update: MergePatchMethod<'identity-update'>;
}

export interface CustomersOperations {
  /**
   * List customers
   *
   * Newest first, ties by id.
   *
   * `GET /identity/customers`
   */
  list: ReadMethod<'customers-list'>;
  /**
   * List customers
   *
   * Newest first, ties by id.
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /identity/customers`
   */
  listAll: AllMethod<'customers-list', OutputOf<'customers-list'>['customers'][number]>;

  /**
   * Create a customer
   *
   * Contacts given by e-mail are created where they are not known yet. The first one becomes the primary contact.
   *
   * `POST /identity/customers`
   */
  create: WriteMethod<'customers-create'>;

  /**
   * Find the customer that owns a contact
   *
   * `GET /identity/customers/by-contact/{guid}`
   */
  byContact: ReadMethod<'customers-byContact'>;

  /**
   * Get a customer
   *
   * `GET /identity/customers/{id}`
   */
  get: ReadMethod<'customers-get'>;

  /**
   * Change a customer
   *
   * Only supplied fields change; `tags` and `metadata` are replaced whole.
   *
   * `PATCH /identity/customers/{id}`
   */
  update: WriteMethod<'customers-update'>;

  /**
   * Delete a customer
   *
   * Its contacts stay known to the identity and can be given to another customer by their guid.
   *
   * `DELETE /identity/customers/{id}`
   */
  delete: WriteMethod<'customers-delete'>;

  /**
   * Add a contact
   *
   * Answers 200 and changes nothing where the contact is on this customer already.
   *
   * `POST /identity/customers/{id}/contacts`
   */
  addContact: WriteMethod<'customers-addContact'>;

  /**
   * Remove a contact
   *
   * Removing the primary contact makes the oldest of the others primary.
   *
   * `DELETE /identity/customers/{id}/contacts/{guid}`
   */
  removeContact: WriteMethod<'customers-removeContact'>;
}

export interface AgentsOperations {
  /**
   * List agents
   *
   * By name. Every filter given has to match.
   *
   * `GET /identity/agents`
   */
  list: ReadMethod<'agents-list'>;
  /**
   * List agents
   *
   * By name. Every filter given has to match.
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /identity/agents`
   */
  listAll: AllMethod<'agents-list', OutputOf<'agents-list'>['agents'][number]>;

  /**
   * Get an agent
   *
   * `GET /identity/agents/{agentId}`
   */
  get: ReadMethod<'agents-get'>;

  /**
   * Change an agent
   *
   * Only supplied fields change; `persona` is merged key by key and null removes a key. A body that names anything but `editableFields` is refused whole, with `details.notEditable`.
   *
   * `PATCH /identity/agents/{agentId}`
   */
  update: WriteMethod<'agents-update'>;

  /**
   * Get escalation routes
   *
   * Whom the agent asks when it needs a person, by level. `ownerEmail` is reached where nobody else is named.
   *
   * `GET /identity/agents/{agentId}/hitl`
   */
  hitl: ReadMethod<'agents-hitl'>;

  /**
   * Replace escalation routes
   *
   * `routes` replaces all of them, `[]` clears them, and left out nothing changes. Levels are unique; `sms` needs `contactInfo.phone` in E.164, `slack` needs `contactInfo.slack`. Refusals list `details.routes`.
   *
   * `PATCH /identity/agents/{agentId}/hitl`
   */
  updateHitl: WriteMethod<'agents-updateHitl'>;
}

export interface ConversationsOperations {
  /**
   * List conversations
   *
   * By their newest message, the latest first. Archived conversations and spam are left out unless asked for.
   *
   * `GET /conversations`
   */
  list: ReadMethod<'conversations-list'>;
  /**
   * List conversations
   *
   * By their newest message, the latest first. Archived conversations and spam are left out unless asked for.
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /conversations`
   */
  listAll: AllMethod<'conversations-list', OutputOf<'conversations-list'>['conversations'][number]>;

  /**
   * Get a conversation
   *
   * `GET /conversations/{conversationId}`
   */
  get: ReadMethod<'conversations-get'>;

  /**
   * Change a conversation
   *
   * Marks it as read, archived or spam, or moves its status. Only supplied fields change.
   *
   * `PATCH /conversations/{conversationId}`
   */
  update: WriteMethod<'conversations-update'>;

  /**
   * List the messages of a conversation
   *
   * `GET /conversations/{conversationId}/messages`
   */
  messages: ReadMethod<'conversations-messages'>;
  /**
   * List the messages of a conversation
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /conversations/{conversationId}/messages`
   */
  messagesAll: AllMethod<'conversations-messages', OutputOf<'conversations-messages'>['messages'][number]>;

  /**
   * Reply
   *
   * Answers the last message that came in, to all of its people unless `to` or `cc` say otherwise, from the address they wrote to. The reply is queued, and sent as soon as the mail server takes it.
   *
   * `POST /conversations/{conversationId}/messages`
   */
  reply: WriteMethod<'conversations-reply'>;

  /**
   * Download an attachment
   *
   * The bytes as they came in.
   *
   * `GET /attachments/{attachmentId}`
   */
  attachment: ReadMethod<'conversations-attachment'>;

  /**
   * Get a thread
   *
   * Kept for older programs; new ones use `/conversations`. Needs one of the two ids.
   *
   * `GET /email/thread`
   *
   * @deprecated
   */
  thread: ReadMethod<'conversations-thread'>;
}

export interface BlogOperations {
  /**
   * List blog posts
   *
   * The newest first, by `createdAt`. Texts are left out; get a post for its `content`.
   *
   * `GET /blog/posts`
   */
  list: ReadMethod<'blog-list'>;
  /**
   * List blog posts
   *
   * The newest first, by `createdAt`. Texts are left out; get a post for its `content`.
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /blog/posts`
   */
  listAll: AllMethod<'blog-list', OutputOf<'blog-list'>['data']['posts'][number]>;

  /**
   * Create a blog post
   *
   * A draft; publish it to show it to readers. A slug that is taken gets a number where it is made from the title.
   *
   * `POST /blog/posts`
   */
  create: WriteMethod<'blog-create'>;

  /**
   * Get a blog post
   *
   * `GET /blog/posts/{postId}`
   */
  get: ReadMethod<'blog-get'>;

  /**
   * Change a blog post
   *
   * Only supplied fields change; what is published is live at once. A new title without a slug makes a new slug; readers who follow the old one of a published post are led on.
   *
   * `PATCH /blog/posts/{postId}`
   */
  update: WriteMethod<'blog-update'>;

  /**
   * Delete a blog post
   *
   * For good.
   *
   * `DELETE /blog/posts/{postId}`
   */
  delete: WriteMethod<'blog-delete'>;

  /**
   * Publish a blog post
   *
   * A post that is published already stays as it is.
   *
   * `POST /blog/posts/{postId}/publish`
   */
  publish: WriteMethod<'blog-publish'>;

  /**
   * Make a blog post a draft again
   *
   * Readers do not find it any more. A draft stays as it is.
   *
   * `POST /blog/posts/{postId}/unpublish`
   */
  unpublish: WriteMethod<'blog-unpublish'>;

  /**
   * Archive a blog post
   *
   * Readers are told that it is gone. It keeps its `publishedAt`; publishing or unpublishing takes it out again.
   *
   * `POST /blog/posts/{postId}/archive`
   */
  archive: WriteMethod<'blog-archive'>;

  /**
   * Upload a picture
   *
   * It is made anew in the sizes that pages need, without location and other hidden data.
   *
   * `POST /blog/images`
   */
  uploadImage: WriteMethod<'blog-uploadImage'>;

  /**
   * Get the settings of the public blog
   *
   * `GET /blog/settings`
   */
  settings: ReadMethod<'blog-settings'>;

  /**
   * Change the settings of the public blog
   *
   * `PATCH /blog/settings`
   */
  updateSettings: WriteMethod<'blog-updateSettings'>;
}

export interface CalendarOperations {
  /**
   * List events
   *
   * By start. A series is one item, listed when any of its occurrences meets the range; with `expand=true` each occurrence is an item of its own.
   *
   * `GET /calendar/events`
   */
  list: ReadMethod<'calendar-list'>;
  /**
   * List events
   *
   * By start. A series is one item, listed when any of its occurrences meets the range; with `expand=true` each occurrence is an item of its own.
   *
   * Goes through all pages; `limit` is how many each asks for.
   *
   * `GET /calendar/events`
   */
  listAll: AllMethod<'calendar-list', OutputOf<'calendar-list'>['events'][number]>;

  /**
   * Create an event
   *
   * Invitees are mailed an invitation that their calendar understands, with a link to answer, unless `sendEmailReminders` is false.
   *
   * `POST /calendar/events`
   */
  create: WriteMethod<'calendar-create'>;

  /**
   * Get an event
   *
   * `GET /calendar/events/{eventId}`
   */
  get: ReadMethod<'calendar-get'>;

  /**
   * Update an event
   *
   * Only supplied fields change; `invitees` is the whole list, matched by e-mail. To cancel an event and tell its invitees, set `status` to `cancelled` and `notifyAttendeesOfChanges` to true.
   *
   * `PATCH /calendar/events/{eventId}`
   */
  update: WriteMethod<'calendar-update'>;

  /**
   * Delete an event
   *
   * For good, and nobody is mailed. To tell invitees, cancel it first.
   *
   * `DELETE /calendar/events/{eventId}`
   */
  delete: WriteMethod<'calendar-delete'>;

  /**
   * Answer an invitation
   *
   * For invitees with an identity here: the answer is recorded for this identity’s address, or its owner’s, on an event of any identity.
   *
   * `POST /calendar/events/{eventId}/rsvp`
   */
  rsvp: WriteMethod<'calendar-rsvp'>;

  /**
   * Check whether a time is free
   *
   * The range is half-open, so what ends as it starts is no conflict. Tentative events block, cancelled ones do not; of a series each occurrence counts.
   *
   * `GET /calendar/availability`
   */
  availability: ReadMethod<'calendar-availability'>;
}

export interface UsageOperations {
  /**
   * Record token usage or an execution
   *
   * `token_usage` needs `totalTokens`, or `promptTokens` and `completionTokens`; `agent_execution` needs `agentId` and `status`. Stored when it answers, and counted at once. Nothing is refused for being over the plan.
   *
   * `POST /usage/track`
   */
  track: WriteMethod<'usage-track'>;

  /**
   * Record up to 100 at once
   *
   * Answers for each record its id, or why it was not taken.
   *
   * `POST /usage/track/batch`
   */
  trackBatch: WriteMethod<'usage-trackBatch'>;

  /**
   * Get usage against the plan
   *
   * Counts the current UTC month.
   *
   * `GET /usage/stats`
   */
  stats: ReadMethod<'usage-stats'>;
}

/** The API: one namespace a resource, one method an operation. */
export interface Frontdesk {
  readonly identity: IdentityOperations;
  readonly customers: CustomersOperations;
  readonly agents: AgentsOperations;
  readonly conversations: ConversationsOperations;
  readonly blog: BlogOperations;
  readonly calendar: CalendarOperations;
  readonly usage: UsageOperations;
}
