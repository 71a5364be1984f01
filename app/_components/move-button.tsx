'use client';

import { Button } from '@heroui/react/button';
import { ChevronDown, ChevronUp } from 'lucide-react';

interface MoveButtonProps {
  direction: 'up' | 'down';
  name: string;
  isDisabled: boolean;
  onPress: () => void;
}

/** Moves an entry of a list one place, for those who don't drag. `useDragReorder`'s lists have one for each direction. */
export function MoveButton({ direction, name, isDisabled, onPress }: MoveButtonProps) {
  const Icon = direction === 'up' ? ChevronUp : ChevronDown;
  return (
    <Button
      variant="ghost"
      size="sm"
      isIconOnly
      data-control={`move-${direction}`}
      aria-label={`Move ${name} ${direction}`}
      isDisabled={isDisabled}
      onPress={onPress}
    >
      <Icon aria-hidden className="text-muted" />
    </Button>
  );
}
