import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button';

interface PendingButtonProps extends Omit<ButtonProps, 'children'> {
  children: ReactNode;
  isPending?: boolean;
}

/** A button with a pending state: it keeps its width, its label and the focus, and ignores clicks meanwhile. */
export function PendingButton({ children, isPending = false, type = 'button', onPress, ...props }: PendingButtonProps) {
  return (
    <Button {...props} type={isPending ? 'button' : type} {...(isPending || !onPress ? {} : { onPress })}>
      <span className={`inline-flex items-center gap-2 ${isPending ? 'opacity-25' : ''}`}>{children}</span>
      {isPending && (
        <span className="absolute inset-0 flex items-center justify-center">
          <LoaderCircle aria-hidden className="animate-spin" />
        </span>
      )}
      <span role="status" className="sr-only">
        {isPending ? 'In progress' : ''}
      </span>
    </Button>
  );
}
