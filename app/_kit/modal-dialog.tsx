'use client';

import { Modal } from '@heroui/react/modal';
import type { ReactNode } from 'react';

export interface DialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  role?: 'dialog' | 'alertdialog';
  /** False where leaving by a stray click or Escape would lose something for good. */
  isDismissable?: boolean;
}

/** The dialog itself; pages use `Dialog`, which fetches it when it opens. */
export function ModalDialog({
  isOpen,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  role = 'dialog',
  isDismissable = true,
}: DialogProps) {
  return (
    <Modal.Backdrop
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal.Container size={size} placement="auto">
        <Modal.Dialog role={role} className="p-5">
          <Modal.Header className="gap-1 pr-8">
            <Modal.Heading className="font-semibold">{title}</Modal.Heading>
            {description && <div className="text-sm text-muted">{description}</div>}
          </Modal.Header>
          {children && <Modal.Body className="mt-4 overflow-y-auto text-foreground">{children}</Modal.Body>}
          {footer && <Modal.Footer className="mt-5">{footer}</Modal.Footer>}
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}
