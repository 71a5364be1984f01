'use client';

import { PendingButton } from './pending-button';

interface LoadMoreProps {
  /** A verb, and what it gets where that helps: "Show older". */
  label?: string;
  /** What could not be loaded: "More mails". */
  what: string;
  isLoading: boolean;
  hasFailed: boolean;
  onLoadMore: () => void;
  variant?: 'secondary' | 'ghost';
}

/** The end of a list that comes in parts: a button for the next one, which says so where that failed. What is there stays. */
export function LoadMore({ label = 'Load more', what, isLoading, hasFailed, onLoadMore, variant = 'secondary' }: LoadMoreProps) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-3">
      <PendingButton variant={variant} size={variant === 'ghost' ? 'sm' : 'md'} isPending={isLoading} onPress={onLoadMore}>
        {label}
      </PendingButton>
      {hasFailed && (
        <p role="alert" className="text-label text-danger-text">
          {what} could not be loaded. Try again.
        </p>
      )}
    </div>
  );
}
