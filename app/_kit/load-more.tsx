import type { ReactNode } from 'react';
import { PendingButton } from './pending-button';

interface LoadMoreProps {
  /** A verb, with an object if that is clearer: "Show older". */
  label?: ReactNode;
  /** What failed to load: "more emails". */
  what: string;
  isLoading: boolean;
  hasFailed: boolean;
  onLoadMore: () => void;
  variant?: 'secondary' | 'ghost';
  size?: 'sm' | 'md';
}

/** The end of a list that is loaded in pages: a button for the next page, with a message if it failed. Loaded pages stay. */
export function LoadMore(props: LoadMoreProps) {
  const { label = 'Load more', what, isLoading, hasFailed, onLoadMore, variant = 'secondary', size = 'md' } = props;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3">
      <PendingButton variant={variant} size={size} isPending={isLoading} onPress={onLoadMore}>
        {label}
      </PendingButton>
      {hasFailed && (
        <p role="alert" className="text-label text-danger-text">
          Couldn’t load {what}. Try again.
        </p>
      )}
    </div>
  );
}
