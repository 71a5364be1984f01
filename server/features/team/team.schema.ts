import * as z from 'zod';
import { teamRoles } from '@/server/platform/auth/team-roles.schema';
import { emailAddress, recordId, requiredText, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { password } from '../accounts/account.schema';
import { handle } from '../identity/identity.schema';
import { signatureMaximum } from './team.limits';

const role = z.enum(teamRoles);

/** A person who works for a business, or was invited to. */
const memberSchema = z.object({
  /** Null until an invitation is accepted. */
  userId: recordId.nullable(),
  displayName: z.string(),
  /** Left out for agents. */
  email: z.string().optional(),
  role,
  status: z.enum(['active', 'invited']),
  lastActiveAt: timestamp.nullable(),
});

export const memberListSchema = z.object({ members: z.array(memberSchema), count: z.int() });

export type MemberList = z.output<typeof memberListSchema>;

export const teamMemberSchema = memberSchema.extend({
  userId: recordId,
  email: z.string(),
  joinedAt: timestamp,
  hasTwoFactor: z.boolean(),
  /** Of their photo, on this installation; null for none. */
  photoUrl: z.string().nullable(),
  isSelf: z.boolean(),
});

export type TeamMember = z.output<typeof teamMemberSchema>;

export const invitationSchema = z.object({
  id: recordId,
  email: z.string(),
  role,
  invitedBy: z.string().nullable(),
  sentAt: timestamp,
  expiresAt: timestamp,
  isExpired: z.boolean(),
});

export type InvitationRecord = z.output<typeof invitationSchema>;

/** All that the page about the team shows. */
export const teamSchema = z.object({
  members: z.array(teamMemberSchema),
  invitations: z.array(invitationSchema),
  requiresTwoFactor: z.boolean(),
  /** False where invitations can only be handed over as links. */
  canSendMail: z.boolean(),
});

export type Team = z.output<typeof teamSchema>;

/** Plain text below the emails of a member; empty for none. */
export const signatureSchema = z.object({ signature: text(signatureMaximum) });

export type Signature = z.output<typeof signatureSchema>;

export const inviteInput = z.object({ email: emailAddress, role });

export type InviteInput = z.output<typeof inviteInput>;

/** A link that was made. It is only shown where this installation can't mail it. */
export const issuedInvitationSchema = z.object({ id: recordId, url: z.string().nullable() });

export type IssuedInvitation = z.output<typeof issuedInvitationSchema>;

export const invitationIdInput = z.object({ id: uuid });

export const memberIdInput = z.object({ userId: uuid });

export const setRoleInput = memberIdInput.extend({ role });

export type SetRoleInput = z.output<typeof setRoleInput>;

export const requireTwoFactorInput = z.object({ isRequired: z.boolean() });

const token = z.string().min(1).max(200);

export const invitationTokenInput = z.object({ token });

/** What the link of an invitation shows. */
export const openInvitationSchema = z.object({
  business: z.string(),
  email: z.string(),
  role,
  invitedBy: z.string().nullable(),
  /** True if the invited address has an account, which then has to sign in. */
  hasAccount: z.boolean(),
});

export type OpenInvitation = z.output<typeof openInvitationSchema>;

/** For a person without an account. */
export const joinInput = z.object({
  token,
  displayName: requiredText(100),
  password,
});

export type JoinInput = z.output<typeof joinInput>;

/** `admin member add|set-role`. */
export const operatorMemberInput = z.object({ identity: handle, email: emailAddress, role });

export type OperatorMemberInput = z.output<typeof operatorMemberInput>;
