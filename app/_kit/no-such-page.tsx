'use client';

import { SearchX } from 'lucide-react';
import { Button } from './button';
import { EmptyState } from './empty-state';

/** Stands where a list has fewer pages than the address asks for. */
export function NoSuchPage({ onShowFirst }: { onShowFirst: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="There are not that many pages"
      description="The list has become shorter, or the address was changed."
      action={
        <Button variant="secondary" onPress={onShowFirst}>
          Show the first page
        </Button>
      }
    />
  );
}
