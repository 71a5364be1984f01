'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import { IconButton } from './icon-button';

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
    <IconButton data-control={`move-${direction}`} label={`Move ${name} ${direction}`} isDisabled={isDisabled} onPress={onPress}>
      <Icon aria-hidden className="text-muted" />
    </IconButton>
  );
}
