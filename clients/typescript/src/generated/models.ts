// Generated from the OpenAPI document by scripts/generate.ts; not edited by hand.

import type { components } from './schema.js';

export type VirtualMeeting = components['schemas']['VirtualMeeting'];
export type Reminder = components['schemas']['Reminder'];
export type InviteeInput = components['schemas']['InviteeInput'];
export type UsageRecord = components['schemas']['UsageRecord'];
export type Identity = components['schemas']['Identity'];
export type Customer = components['schemas']['Customer'];
export type CustomerContact = components['schemas']['CustomerContact'];
export type Agent = components['schemas']['Agent'];
export type AgentDetail = components['schemas']['AgentDetail'];
export type AgentPersona = components['schemas']['AgentPersona'];
export type HitlRoute = components['schemas']['HitlRoute'];
export type HitlConfiguration = components['schemas']['HitlConfiguration'];
export type Conversation = components['schemas']['Conversation'];
export type MailAddress = components['schemas']['MailAddress'];
export type ConversationDetail = components['schemas']['ConversationDetail'];
export type Message = components['schemas']['Message'];
export type Attachment = components['schemas']['Attachment'];
export type BlogPostItem = components['schemas']['BlogPostItem'];
export type BlogPost = components['schemas']['BlogPost'];
export type BlogImage = components['schemas']['BlogImage'];
export type BlogSettings = components['schemas']['BlogSettings'];
export type CalendarEventItem = components['schemas']['CalendarEventItem'];
export type Invitee = components['schemas']['Invitee'];
export type CalendarEvent = components['schemas']['CalendarEvent'];
export type AvailabilityConflict = components['schemas']['AvailabilityConflict'];
export type UsageStatistics = components['schemas']['UsageStatistics'];
export type VirtualMeetingOutput = components['schemas']['VirtualMeetingOutput'];
export type ReminderOutput = components['schemas']['ReminderOutput'];
export type ErrorBody = components['schemas']['Error'];
