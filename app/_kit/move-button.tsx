import { ChevronDown, ChevronUp } from 'lucide-react';
import { IconButton } from './icon-button';

interface MoveButtonProps {
  direction: 'up' | 'down';
  name: string;
  isDisabled: boolean;
  onPress: () => void;
}

/**
 * Moves a list item by one position, as an alternative to dragging. Lists with `useDragReorder` have one for each direction.
 */
export function MoveButton({ direction, name, isDisabled, onPress }: MoveButtonProps) {
  const Icon = direction === 'up' ? ChevronUp : ChevronDown;
  return (
    <IconButton data-control={`move-${direction}`} label={`Move ${name} ${direction}`} isDisabled={isDisabled} onPress={onPress}>
      <Icon aria-hidden className="text-muted" />
    </IconButton>
  );
}
