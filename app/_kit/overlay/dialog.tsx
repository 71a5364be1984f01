import type { ReactNode } from 'react';
import { onDemand } from './load-on-demand';

const hero = onDemand(() => import('@heroui/react/modal').then(({ Modal }) => ({ Modal })));

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
  /** False if closing by a stray click or Escape would lose something permanently. */
  isDismissable?: boolean;
}

/**
 * A modal dialog. HeroUI's modal is loaded when the first one opens. To wrap `children` and `footer` together in a form, pass
 * the form as `children` and omit `footer`.
 */
export function Dialog({
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
  const loaded = hero.use(isOpen);
  if (!loaded) return null;
  const { Modal } = loaded;
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
