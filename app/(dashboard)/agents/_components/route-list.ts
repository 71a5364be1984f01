import { type RefObject, useEffect, useState } from 'react';
import { useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { levelName } from './route-labels';
import { inOrder, isFull, newRoute, type RoutesValues, restoredLevel } from './route-values';

interface RouteListOptions {
  /** The section with the levels and the button that adds one. */
  section: RefObject<HTMLElement | null>;
  onUndoOffered: (toastId: string | number) => void;
}

/** Adds, sorts and removes levels in the form, and keeps the focus where the next key press is expected. */
export function useRouteList({ section, onUndoOffered }: RouteListOptions) {
  const { control, getValues, setValue } = useFormContext<RoutesValues>();
  const {
    fields,
    append,
    insert,
    move: moveField,
    remove: removeField,
  } = useFieldArray({ control, name: 'routes', keyName: 'key' });
  const { errors, submitCount } = useFormState({ control });
  const [newest, setNewest] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const [focusOn, setFocusOn] = useState<readonly string[] | null>(null);

  // The browser drops the focus from an element that is moved or removed.
  useEffect(() => {
    if (!focusOn) return;
    for (const selector of focusOn) {
      const wanted = section.current?.querySelector<HTMLElement>(selector);
      if (!wanted) continue;
      wanted.focus();
      break;
    }
    setFocusOn(null);
  }, [focusOn, section]);

  // A closed level opens if one of its fields is refused, and only then can the field get the focus.
  const isRefused = errors.routes !== undefined;
  useEffect(() => {
    if (submitCount > 0 && isRefused) setFocusOn(['[aria-invalid="true"]']);
  }, [submitCount, isRefused]);

  const levels = () => getValues('routes').map(({ level }) => level);
  const nameAt = (index: number) => {
    const { level, label } = getValues(`routes.${index}`);
    return levelName(level, label);
  };
  /** Reassigns level numbers by position: the first row gets the lowest. */
  const assignLevels = (numbers: readonly number[]) =>
    inOrder(numbers).forEach((level, index) => {
      setValue(`routes.${index}.level`, level, { shouldDirty: true });
    });

  const add = () => {
    if (isFull(fields.length)) return;
    const route = newRoute(levels());
    const numbers = [...levels(), route.level];
    setNewest(fields.length);
    append(route, { focusName: `routes.${fields.length}.label` });
    assignLevels(numbers);
  };

  const move = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    const numbers = levels();
    const name = nameAt(from);
    setNewest(null);
    moveField(from, to);
    assignLevels(numbers);
    setAnnouncement(`Moved ${name} to position ${to + 1} of ${fields.length}`);
  };

  /** Like `move`, for a button: it keeps the focus, or passes it to the other button at either end. */
  const moveByKey = (key: string, from: number, to: number) => {
    move(from, to);
    const row = `[data-route="${key}"]`;
    const pressed = to < from ? 'move-up' : 'move-down';
    setFocusOn([`${row} [data-control="${pressed}"]:not(:disabled)`, `${row} [data-control^="move"]:not(:disabled)`]);
  };

  const restoreRoute = (index: number, route: RoutesValues['routes'][number]) => {
    const present = levels();
    if (isFull(present.length)) {
      toast.error('The list of steps is full. Remove one first.');
      return;
    }
    setNewest(null);
    insert(Math.min(index, present.length), route, { shouldFocus: false });
    assignLevels([...present, restoredLevel(route.level, present)]);
  };

  const remove = (index: number) => {
    const removed = structuredClone(getValues(`routes.${index}`));
    setNewest(null);
    removeField(index);
    setFocusOn(['[data-control="add"]']);
    onUndoOffered(
      undoToast({
        message: `${levelName(removed.level, removed.label)} removed`,
        description: 'Unsaved until you click Save.',
        onUndo: () => restoreRoute(index, removed),
      }),
    );
  };

  return { fields, newest, add, move, moveByKey, remove, announcement };
}
