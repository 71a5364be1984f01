import { createLoader, createSerializer, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { isUuid } from '@/app/_kit/uuid';
import { actionFilters, authorFilters, resourceLabels } from './_components/audit-labels';
import { securityKindLabels } from './_components/security-labels';

/** Search parameters of the audit log. */
export const auditSearchParams = {
  resource: parseAsStringLiteral(keysOf(resourceLabels)),
  /** One record including its parts: its history. */
  id: parseAsString,
  who: parseAsStringLiteral(keysOf(authorFilters)),
  /** One API key. */
  key: parseAsString,
  what: parseAsStringLiteral(keysOf(actionFilters)),
  /** Dates as `2026-11-21`, both included, in the viewer's zone. */
  from: parseAsString,
  to: parseAsString,
  /** What was typed: words of names, or a request id. */
  q: parseAsString,
  /** One request, from a link. */
  request: parseAsString,
};

/** Search parameters of the security log. */
export const securitySearchParams = {
  kind: parseAsStringLiteral(keysOf(securityKindLabels)),
};

export type SecuritySearch = inferParserType<typeof securitySearchParams>;

export const loadSecuritySearch = createLoader(securitySearchParams);

/** The request for the first page of a security log search. */
export function securityInput({ kind }: SecuritySearch) {
  return kind ? { kind } : {};
}

export type AuditSearch = inferParserType<typeof auditSearchParams>;

export const loadAuditSearch = createLoader(auditSearchParams);

/** The query string of a search. */
export const auditSearchQuery = createSerializer(auditSearchParams);

/** The start of a date, `days` later, in the viewer's zone; undefined for an invalid date. */
function beginningOf(date: string | null, days = 0): string | undefined {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(date ?? '') ?? [];
  return day ? new Date(Number(year), Number(month) - 1, Number(day) + days).toISOString() : undefined;
}

/**
 * The request for the first page of a search. Invalid parts of the address (an unknown key, an invalid date) are left out.
 * Dates depend on the viewer's zone, so a server can't run a search with dates (see `needsViewersClock`).
 */
export function auditInput({ resource, id, who, key, what, from, to, q, request }: AuditSearch) {
  const [begin, end] = [beginningOf(from), beginningOf(to, 1)];
  const words = q?.trim().slice(0, 200);
  return {
    ...(resource ? { resource } : {}),
    ...(id ? { resourceId: id.slice(0, 100) } : {}),
    ...(key && isUuid(key) ? { apiKeyId: key.toLowerCase() } : who ? { author: who } : {}),
    ...(what ? { action: what } : {}),
    ...(words ? { search: words } : {}),
    ...(request ? { requestId: request.slice(0, 200) } : {}),
    ...(begin ? { from: begin } : {}),
    ...(end ? { to: end } : {}),
  };
}

/** True for a search that depends on the viewer's zone. */
export function needsViewersClock({ from, to }: AuditSearch): boolean {
  return Boolean(from || to);
}

/** True if a filter is set. */
export function isNarrowed(search: AuditSearch): boolean {
  return Object.values(search).some((value) => value !== null && value.trim() !== '');
}
