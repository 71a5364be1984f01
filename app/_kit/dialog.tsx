'use client';

import type { DialogProps } from './modal-dialog';
import { onDemand } from './on-demand';

const modal = onDemand(() => import('./modal-dialog'));

/**
 * A modal dialog, fetched when the first one opens. Wrap `children` and `footer` together in a form by passing the form as `children`
 * and leaving out `footer`.
 */
export function Dialog(props: DialogProps) {
  const loaded = modal.use(props.isOpen);
  return loaded && <loaded.ModalDialog {...props} />;
}
