import type { ComponentProps } from 'react';
import { PendingButton } from './pending-button';
import { useIsHydrated } from './use-is-hydrated';

/**
 * The submit button of a form with a password. Disabled until hydration: before that, the browser would submit the form itself,
 * and the input would be lost.
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
