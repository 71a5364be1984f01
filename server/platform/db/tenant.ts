import { oncePerProcess, setForProcess } from '../process-globals';

/** The role of the server, and the one that it takes while it works for one identity; see roles.ts. */
export const serverRole = 'frontdesk_server';
export const tenantRole = 'frontdesk_tenant';

/** Called once at the start. @param isOn whether the database has the roles */
export function setRowSecurity(isOn: boolean): void {
  setForProcess('row-security', isOn);
}

export function hasRowSecurity(): boolean {
  return oncePerProcess('row-security', () => false);
}

/**
 * Statements that limit the open transaction to rows of one identity; empty for none.
 * @param identityId one of ours, never a client's text
 */
export function limitToIdentity(identityId: string): string {
  if (!identityId || !hasRowSecurity()) return '';
  if (!/^[0-9a-f-]{36}$/.test(identityId)) throw new Error('not the id of an identity');
  return `; SET LOCAL ROLE ${tenantRole}; SET LOCAL frontdesk.identity = '${identityId}'`;
}
