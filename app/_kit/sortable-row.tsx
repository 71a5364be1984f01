import { ChevronDown, ChevronUp, GripVertical, Trash2 } from 'lucide-react';
import type { PointerEventHandler, ReactNode } from 'react';
import { DisclosureButton } from './disclosure-button';
import { IconButton } from './icon-button';
import { useIsReadOnly } from './read-only';

/** The drag handle of a row in a list with `useDragReorder`. The keyboard has `RowButtons` instead. */
export function DragHandle({ onDragStart }: { onDragStart: PointerEventHandler }) {
  const isReadOnly = useIsReadOnly();
  if (isReadOnly) return null;
  return (
    <span
      aria-hidden
      title="Drag to reorder"
      onPointerDown={onDragStart}
      className="flex h-9 w-6 shrink-0 cursor-grab touch-none items-center justify-center text-muted active:cursor-grabbing"
    >
      <GripVertical className="size-4" />
    </span>
  );
}

interface RowToggleProps {
  name: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Id of the panel it opens. */
  panelId: string;
  className?: string;
  /** The row's summary. */
  children: ReactNode;
}

/** A row's summary, which opens its fields. */
export function RowToggle({ name, isOpen, onOpenChange, panelId, className = '', children }: RowToggleProps) {
  const isReadOnly = useIsReadOnly();
  return (
    <DisclosureButton
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      panelId={panelId}
      aria-label={`${isOpen ? 'Close' : isReadOnly ? 'Open' : 'Edit'} ${name}`}
      className={`flex min-w-0 flex-1 items-center gap-2 rounded-md px-1 text-left hover:bg-surface-hover ${className}`}
    >
      {children}
    </DisclosureButton>
  );
}

interface MoveButtonProps {
  direction: 'up' | 'down';
  name: string;
  isDisabled: boolean;
  onPress: () => void;
}

function MoveButton({ direction, name, isDisabled, onPress }: MoveButtonProps) {
  const Icon = direction === 'up' ? ChevronUp : ChevronDown;
  return (
    <IconButton data-control={`move-${direction}`} label={`Move ${name} ${direction}`} isDisabled={isDisabled} onPress={onPress}>
      <Icon aria-hidden className="text-muted" />
    </IconButton>
  );
}

interface RowButtonsProps {
  name: string;
  index: number;
  /** The number of rows. */
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** Buttons that move a row by one position, as an alternative to dragging, and remove it. */
export function RowButtons({ name, index, count, onMove, onRemove }: RowButtonsProps) {
  return (
    <>
      <MoveButton direction="up" name={name} isDisabled={index === 0} onPress={() => onMove(index - 1)} />
      <MoveButton direction="down" name={name} isDisabled={index === count - 1} onPress={() => onMove(index + 1)} />
      <IconButton label={`Remove ${name}`} onPress={onRemove}>
        <Trash2 aria-hidden className="text-muted" />
      </IconButton>
    </>
  );
}
