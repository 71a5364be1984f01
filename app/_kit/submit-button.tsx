'use client';

import type { ComponentProps } from 'react';
import { PendingButton } from './pending-button';
import { useIsHydrated } from './use-is-hydrated';

/**
 * The submit button of a form with a password. It waits for the page to be alive: submitted before, the browser itself would send
 * the form, and what was typed would be lost.
 */
export function SubmitButton({
  isDisabled = false,
  className,
  ...props
}: Omit<ComponentProps<typeof PendingButton>, 'type' | 'className'> & { className?: string }) {
  const isHydrated = useIsHydrated();
  return (
    <PendingButton
      {...props}
      type="submit"
      isDisabled={isDisabled || !isHydrated}
      className={`${className ?? ''} ${isHydrated ? '' : 'opacity-100'}`}
    />
  );
}
