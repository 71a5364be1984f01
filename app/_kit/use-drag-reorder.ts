import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface DragReorderOptions {
  /** The element whose children are the rows. */
  list: RefObject<HTMLElement | null>;
  onMove: (from: number, to: number) => void;
}

/** The index of the row for a pointer at this height: past another row's middle means past that row. */
function targetIndex(rows: Element[], index: number, pointerY: number): number {
  const middle = (row: Element | undefined) => {
    const box = row?.getBoundingClientRect();
    return box ? box.top + box.height / 2 : Number.NaN;
  };
  let target = index;
  while (pointerY < middle(rows[target - 1])) target--;
  while (pointerY > middle(rows[target + 1])) target++;
  return target;
}

/**
 * Sorting by dragging a handle, with mouse, pen or finger. Rows swap while the pointer moves; Escape restores the order. The
 * keyboard has its own buttons, so the handle is for pointers only.
 */
export function useDragReorder({ list, onMove }: DragReorderOptions) {
  const [dragged, setDragged] = useState<number | null>(null);
  const stop = useRef<(() => void) | null>(null);
  const move = useRef(onMove);

  useEffect(() => {
    move.current = onMove;
  }, [onMove]);

  useEffect(() => () => stop.current?.(), []);

  const start = (event: ReactPointerEvent, origin: number) => {
    if (event.button !== 0) return;
    event.preventDefault();
    let index = origin;
    setDragged(origin);

    const moveTo = (target: number) => {
      if (target === index) return;
      move.current(index, target);
      index = target;
      setDragged(target);
    };
    const onPointerMove = ({ clientY }: PointerEvent) => moveTo(targetIndex([...(list.current?.children ?? [])], index, clientY));
    const onKeyDown = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      moveTo(origin);
      end();
    };
    // The handle itself may be removed and reinserted while its row moves, so the window listens.
    const end = () => {
      window.removeEventListener('pointermove', onPointerMove);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      stop.current = null;
      setDragged(null);
    };
    window.addEventListener('pointermove', onPointerMove);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', onKeyDown, { capture: true });
    stop.current = end;
  };

  return { dragged, start };
}
