/** All that the package offers; what is not named here may change at any time. */
export { contactGuid } from './contact-guid.js';
export { type ErrorCode, FrontdeskConnectionError, FrontdeskError } from './errors.js';
export { createFrontdesk } from './frontdesk.js';
export type { Frontdesk } from './generated/client.js';
export type * from './generated/models.js';
export type {
  Answer,
  Call,
  CallOptions,
  ConditionalReadOptions,
  DownloadedFile,
  InputOf,
  MergePatchOptions,
  OperationId,
  OutputOf,
  ResponseMeta,
  UploadedFile,
  WriteOptions,
} from './methods.js';
export type { FrontdeskOptions } from './transport.js';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRejection,
  WebhookVerificationError,
} from './webhooks.js';
