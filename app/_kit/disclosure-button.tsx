import { ChevronDown } from 'lucide-react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { useIsReadOnly } from './read-only';

interface DisclosureButtonProps extends Pick<ComponentProps<'button'>, 'aria-label' | 'className' | 'children'> {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Id of what it opens. */
  panelId: string;
}

/** Opens a part of a form, which works in forms that can only be read, too: there, a native button would be disabled. */
export function DisclosureButton({ isOpen, onOpenChange, panelId, children, ...props }: DisclosureButtonProps) {
  const isReadOnly = useIsReadOnly();
  const toggle = () => onOpenChange(!isOpen);
  const content = (
    <>
      <ChevronDown
        aria-hidden
        className={`size-4 shrink-0 text-muted transition-transform duration-150 ${isOpen ? '' : '-rotate-90'}`}
      />
      {children}
    </>
  );
  const state = { ...props, 'aria-expanded': isOpen, 'aria-controls': panelId, onClick: toggle };
  if (!isReadOnly) {
    return (
      <button type="button" {...state}>
        {content}
      </button>
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    toggle();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the fieldset around it disables every button
    <div role="button" tabIndex={0} {...(state as object)} onKeyDown={onKeyDown}>
      {content}
    </div>
  );
}
