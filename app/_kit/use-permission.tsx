'use client';

import { createContext, use } from 'react';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { isAllowed, whoCan } from './permission';
import { toast } from './toast';

/** The role of the signed-in member; null outside of a business, where nothing needs one. */
const RoleContext = createContext<TeamRole | null>(null);

/** Provides the role to the actions below. */
export const RoleProvider = RoleContext.Provider;

export interface PermissionState {
  isAllowed: boolean;
  /** Who can, as a sentence; undefined if allowed. */
  reason: string | undefined;
}

const allowed: PermissionState = { isAllowed: true, reason: undefined };

/** Whether the role of the signed-in member allows something. Without `needs` it always does. */
export function usePermission(needs: Permission | undefined): PermissionState {
  const role = use(RoleContext);
  if (role === null || needs === undefined || isAllowed(role, needs)) return allowed;
  return { isAllowed: false, reason: whoCan(needs) };
}

/** Answers an action that the role does not allow. */
export function deny(reason: string | undefined): void {
  if (reason !== undefined) toast(reason, { id: 'denied' });
}

/** Guards actions without a button, such as shortcuts and drags: where the role does not allow them, it says who can. */
export function useGuard(needs: Permission | undefined) {
  const { isAllowed, reason } = usePermission(needs);
  return <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): void =>
      isAllowed ? act(...args) : deny(reason);
}

/** The role of the signed-in member. */
export const useRole = (): TeamRole | null => use(RoleContext);
