import type { ConversationStatus } from '@/server/features/conversations/conversation.schema';
import type { DemoLabel } from './labels';

/** A file of a demo message; `text` files only, and one drawing. */
export interface DemoFile {
  filename: string;
  contentType: string;
  content: string;
  /** Shown by the HTML part under this content id. */
  contentId?: string;
}

/** One message of a demo thread: from the customer, or our reply. */
export interface DemoMessage {
  /** Hours before the demo begins. */
  hoursAgo: number;
  text: string;
  html?: string;
  files?: DemoFile[];
  cc?: string;
  /** Headers beyond the usual ones. */
  headers?: Record<string, string>;
}

export interface DemoReply {
  hoursAgo: number;
  reply: string;
  /** The agent who signs. */
  roleId?: string;
  /** Hours after the demo begins, for one that is scheduled. */
  sendInHours?: number;
}

export interface DemoThread {
  subject: string;
  /** Somebody in particular, or the customer with this number. */
  from: { name: string; email: string } | { customer: number };
  to: string;
  messages: (DemoMessage | DemoReply)[];
  changes?: { status?: ConversationStatus; isRead?: boolean; isArchived?: boolean; isSpam?: boolean };
  isTrashed?: boolean;
  labels?: DemoLabel[];
  /** Hours after the demo begins, until which it is snoozed. */
  snoozeInHours?: number;
  /** Who takes care of it: a colleague's email, or an agent's roleId. */
  assignee?: { email: string } | { roleId: string };
}
