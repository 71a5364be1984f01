import { Eye } from 'lucide-react';
import { createContext, type ReactNode, use } from 'react';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { whoCan } from './permission';
import { usePermission } from './use-permission';

/** Says that a form can only be read, and who can change it. Nothing for who may. */
export function ReadOnlyNote({ needs, className = '' }: { needs: Permission; className?: string }) {
  if (usePermission(needs).isAllowed) return null;
  return (
    <p role="note" className={`flex gap-2 rounded-md bg-info-soft px-3 py-2 text-info-text ${className}`}>
      <Eye aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>You can view this. {whoCan(needs, 'change it')}</span>
    </p>
  );
}

const ReadOnlyContext = createContext(false);

/** True inside fields that can only be read. */
export const useIsReadOnly = (): boolean => use(ReadOnlyContext);

/** Fields that only some roles may change: for the others every control inside is disabled. */
export function ReadOnlyFields({ needs, children }: { needs: Permission | undefined; children: ReactNode }) {
  const { isAllowed } = usePermission(needs);
  return (
    <fieldset disabled={!isAllowed} data-read-only={isAllowed ? undefined : ''} className="contents">
      <ReadOnlyContext value={!isAllowed}>{children}</ReadOnlyContext>
    </fieldset>
  );
}
