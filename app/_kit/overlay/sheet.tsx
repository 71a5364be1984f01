import { Modal } from '@heroui/react/modal';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@/app/_kit/icon-button';

interface SheetProps {
  isOpen: boolean;
  /** Called for the close button, Escape or a click outside. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal sheet from the right; on a phone it fills the page. */
export function Sheet({ isOpen, onClose, children }: SheetProps) {
  return (
    <Modal.Backdrop
      isOpen={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      className="justify-end bg-black/15 dark:bg-black/45"
    >
      <Modal.Container
        size="full"
        placement="center"
        className="sm:w-[27.5rem] sm:flex-none sm:data-[entering=true]:slide-in-from-right-8 sm:data-[exiting=true]:slide-out-to-right-8"
      >
        <Modal.Dialog className="my-0 bg-surface p-0 max-sm:border-0 sm:border-l sm:border-border sm:shadow-overlay">
          {children}
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

interface SheetHeaderProps {
  title: ReactNode;
  onClose: () => void;
  /** Shown left of the title, such as the event's color. */
  leading?: ReactNode;
  children?: ReactNode;
}

/** The header of the sheet; its title names the sheet. */
export function SheetHeader({ title, onClose, leading, children }: SheetHeaderProps) {
  return (
    <div className="flex shrink-0 items-start gap-3 border-b border-border py-3 pr-3 pl-5">
      {leading}
      <div className="min-w-0 flex-1 py-1">
        <Modal.Heading className="text-base font-semibold wrap-anywhere">{title}</Modal.Heading>
        {children}
      </div>
      <IconButton label="Close" onPress={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

/** Scrolls between header and footer. */
export function SheetBody({ children }: { children: ReactNode }) {
  return <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5">{children}</div>;
}

/** The buttons at the bottom, and messages about them. */
export function SheetFooter({ children }: { children: ReactNode }) {
  return (
    <div
      data-sheet-foot
      className="flex shrink-0 flex-col gap-3 border-t border-border bg-background-secondary px-5 py-3 pb-[calc(env(safe-area-inset-bottom)+0.75rem)]"
    >
      {children}
    </div>
  );
}
