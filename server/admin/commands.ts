import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as z from 'zod';
import { createIdentityInput, setEmailInput, setPasswordInput } from '../features/accounts/account.schema';
import { createIdentity, setPasswordByEmail } from '../features/accounts/account.service';
import { setEmail } from '../features/accounts/email-change.service';
import { resetTwoFactorInput } from '../features/accounts/two-factor.schema';
import { resetTwoFactorByEmail } from '../features/accounts/two-factor.service';
import { listAddressesInput, verifyAddressInput } from '../features/addresses/address.schema';
import { listAllAddresses, verifyAddress } from '../features/addresses/address-operator.service';
import { createAgentInput } from '../features/agents/agent.schema';
import { archiveAgentForHandle, createAgentForHandle, duplicateAgentForHandle } from '../features/agents/agent.service';
import { keyScopesInput } from '../features/api-keys/api-key.schema';
import { createApiKeyForHandle, revokeApiKeyById } from '../features/api-keys/api-key.service';
import { operatorSecurityInput } from '../features/audit/security.schema';
import { listAllSecurity } from '../features/audit/security.service';
import { deleteAttachmentAsOperator } from '../features/conversations/attachment.service';
import { operatorDeleteInput } from '../features/conversations/conversation-bulk.schema';
import { deleteConversationsAsOperator } from '../features/conversations/trash.service';
import { showStorageAsOperator } from '../features/data/data.service';
import { handle } from '../features/identity/identity.schema';
import { setPlan } from '../features/identity/identity.service';
import { checkFiles } from '../features/mail/file-check.service';
import {
  addMemberAsOperator,
  listMembersAsOperator,
  removeMemberAsOperator,
  setRoleAsOperator,
} from '../features/team/member-operator.service';
import { operatorMemberInput } from '../features/team/team.schema';
import { createWebhookInput } from '../features/webhooks/webhook.schema';
import { createWebhookForHandle, listWebhooksForHandle } from '../features/webhooks/webhook.service';
import type { AppError, FieldErrors } from '../platform/errors';
import { requiredText, uuid } from '../platform/fields.schema';
import { moveFiles } from '../platform/files/move-files';
import { prepareUpgrade } from '../platform/open-database';
import { plans } from '../platform/plan';

/** A command line that can't be parsed. The message is for the operator. */
export class UsageError extends Error {
  override name = 'UsageError';
}

interface Command {
  /** The option that `--password-stdin` replaces, e.g. `--owner-password`. */
  passwordOption: string | undefined;
  /** True for a command that needs the database as it is, not migrated to this version. */
  opensDatabase?: false;
  parse(args: string[]): unknown;
  run(input: unknown): Promise<object>;
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** The command-line flag of a field: ownerEmail → --owner-email. */
function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Rewrites `--whitelist a b` as `--whitelist a --whitelist b`, so that a repeatable option takes several values. */
function repeatFlags(args: string[], options: Options): string[] {
  let flag = '';
  return args.flatMap((arg) => {
    if (arg.startsWith('--')) {
      flag = arg;
      return options[arg.slice(2)]?.multiple ? [] : [arg];
    }
    return options[flag.slice(2)]?.multiple ? [flag, arg] : [arg];
  });
}

function readOptions(args: string[], options: Options): Record<string, unknown> {
  try {
    const { values } = parseArgs({ args: repeatFlags(args, options), options, strict: true, allowPositionals: false });
    const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [camel(name), value]));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** True if a field is a flag without a value. */
function isFlag(field: unknown): boolean {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? isFlag(field.unwrap()) : field instanceof z.ZodBoolean;
}

/** Defines a command whose options are the fields of `schema`: text values or flags. */
function define<Schema extends z.ZodObject>(
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<object>,
  repeated: string[] = [],
): Command {
  const options: Options = {};
  for (const [field, type] of Object.entries(schema.shape)) {
    options[flagOf(field).slice(2)] = { type: isFlag(type) ? 'boolean' : 'string', multiple: repeated.includes(field) };
  }
  return {
    passwordOption: Object.keys(options)
      .map((name) => `--${name}`)
      .find((name) => name.endsWith('password')),
    parse: (args) => {
      const parsed = schema.safeParse(readOptions(args, options));
      if (parsed.success) return parsed.data;
      throw new UsageError(parsed.error.issues.map((issue) => `${flagOf(String(issue.path[0]))} ${issue.message}`).join('\n'));
    },
    run: (input) => run(input as z.output<Schema>),
  };
}

const commaSeparated = z.string().transform((text) => text.split(',').map((each) => each.trim()));

const agentOf = z.object({ identity: handle, roleId: createAgentInput.shape.roleId });

/** All commands, keyed by the two words that call them. */
export const commands: Record<string, Command> = {
  'database prepare': { ...define(z.object({}), prepareUpgrade), opensDatabase: false },
  'files check': define(z.object({ content: z.boolean().default(false) }), checkFiles),
  'files move': define(z.object({ to: z.enum(['s3', 'local']), deleteSource: z.boolean().default(false) }), moveFiles),
  'identity create': define(createIdentityInput, createIdentity, ['whitelist']),
  'identity set-plan': define(z.object({ handle, plan: z.enum(plans) }), ({ handle, plan }) => setPlan(handle, plan)),
  'address verify': define(verifyAddressInput.extend({ identity: handle }), verifyAddress),
  'address list': define(listAddressesInput.extend({ identity: handle.optional() }), listAllAddresses),
  'key create': define(
    z.object({
      identity: handle,
      name: requiredText(100).default('Command line'),
      expiresAt: z.iso.datetime({ offset: true }).optional(),
      scopes: commaSeparated.pipe(keyScopesInput).optional(),
      agent: createAgentInput.shape.roleId.optional(),
    }),
    ({ identity, expiresAt = null, ...key }) => createApiKeyForHandle(identity, { ...key, expiresAt }),
  ),
  'key revoke': define(z.object({ id: uuid }), ({ id }) => revokeApiKeyById(id)),
  'agent create': define(z.object({ identity: handle, ...createAgentInput.shape }), ({ identity, ...agent }) =>
    createAgentForHandle(identity, agent),
  ),
  'agent duplicate': define(agentOf, ({ identity, roleId }) => duplicateAgentForHandle(identity, roleId)),
  'agent archive': define(agentOf, ({ identity, roleId }) => archiveAgentForHandle(identity, roleId)),
  'webhook create': define(
    createWebhookInput.extend({
      identity: handle,
      events: z.string().transform((text) => text.split(',').map((part) => part.trim())),
    }),
    ({ identity, ...webhook }) => createWebhookForHandle(identity, webhook),
  ),
  'webhook list': define(z.object({ identity: handle }), ({ identity }) => listWebhooksForHandle(identity)),
  'storage show': define(z.object({ identity: handle }), showStorageAsOperator),
  'attachment delete': define(z.object({ identity: handle, id: uuid }), deleteAttachmentAsOperator),
  'conversation delete': define(operatorDeleteInput, deleteConversationsAsOperator),
  'member list': define(z.object({ identity: handle }), ({ identity }) => listMembersAsOperator(identity)),
  'member add': define(operatorMemberInput, addMemberAsOperator),
  'member set-role': define(operatorMemberInput, setRoleAsOperator),
  'member remove': define(operatorMemberInput.omit({ role: true }), removeMemberAsOperator),
  'security list': define(operatorSecurityInput, listAllSecurity),
  'user set-password': define(setPasswordInput, setPasswordByEmail),
  'user set-email': define(setEmailInput, setEmail),
  'user reset-two-factor': define(resetTwoFactorInput, ({ email }) => resetTwoFactorByEmail(email)),
};

/** Describes a service's error with the option names as typed. */
export function describeRefusal({ message, details }: AppError): string {
  const fields = Object.entries((details?.fields ?? {}) as FieldErrors);
  return fields.map(([field, reason]) => `${flagOf(field)} ${reason}`).join('\n') || message;
}

export function usage(): string {
  return `Usage: npm run -s admin -- <command>

  database prepare  (what an upgrade needs time for, while the version before still runs)
  files check [--content]  (whether every file that the database names can be read)
  files move --to s3|local [--delete-source]  (copies files between DATA_DIR and the bucket of FILES_URL)
  identity create --handle H --owner-email E (--password-stdin | --existing-owner) [--display-name N] [--address A]
                  [--scope identity|business] [--plan ${plans.join('|')}]
                  [--whitelist "handle=address" ...] [--force]
  identity set-plan --handle H --plan P
  address verify --identity H --address A [--force]
  address list [--identity H] [--status pending|proven|contested|refused]
  key create --identity H [--name N] [--expires-at ISO] [--scopes S,S] [--agent ROLE-ID]
  key revoke --id ID
  agent create --identity H --role-id R --name N [--kind K]
  agent duplicate --identity H --role-id R
  agent archive --identity H --role-id R
  webhook create --identity H --url U --events a,b.* [--description D]
  webhook list --identity H
  storage show --identity H  (what takes the space)
  attachment delete --identity H --id ID
  conversation delete --identity H (--ids ID,ID | --sender-email E | --folder spam|trash) [--permanent]
  member list --identity H
  member add --identity H --email E --role owner|admin|member|viewer  (an account that exists; others are invited in the dashboard)
  member set-role --identity H --email E --role R
  member remove --identity H --email E
  security list [--kind K] [--limit N] [--before ID]
  user set-password --email E --password-stdin
  user set-email --email E --new-email N
  user reset-two-factor --email E

--password-stdin reads the password from standard input. --owner-password P and --password P also work but are discouraged: other
programs on this machine can read them, and the shell keeps them in its history.
`;
}
