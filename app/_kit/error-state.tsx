import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { errorFacts } from './error-facts';

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  /** What failed, for the user; e.g. "Couldn’t load customers". */
  title?: string;
  /** What is not affected; e.g. "Nothing was changed." */
  reassurance?: ReactNode;
}

/** A failure that replaces a page's content. */
export function ErrorState({
  error,
  onRetry,
  title = 'Couldn’t load this',
  reassurance = 'Nothing was changed, and the rest of the dashboard still works.',
}: ErrorStateProps) {
  const { message, requestId } = errorFacts(error);
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <CircleAlert aria-hidden className="mb-3 size-6 text-danger-text" strokeWidth={1.75} />
      <h2 className="text-sm font-semibold">{title}</h2>
      <p className="mt-1 max-w-[52ch] text-muted">{message}</p>
      <p className="max-w-[52ch] text-muted">{reassurance}</p>
      {onRetry && (
        <Button variant="secondary" size="sm" className="mt-5" onPress={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      )}
      {requestId && (
        <p className="mt-4 flex items-center gap-1 text-label text-muted">
          Request ID <code className="font-mono text-xs">{requestId}</code>
          <CopyButton value={requestId} label="Copy request ID" size="sm" />
        </p>
      )}
    </div>
  );
}
