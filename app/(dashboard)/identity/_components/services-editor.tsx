import { Plus } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';
import { v7 as uuidv7 } from 'uuid';
import { Button } from '@/app/_kit/button';
import { FormRow } from '@/app/_kit/form-row';
import { onDemand } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { DragHandle, RowButtons, RowToggle } from '@/app/_kit/sortable-row';
import { Switch } from '@/app/_kit/switch';
import { undoToast } from '@/app/_kit/undo-toast';
import { useDragReorder } from '@/app/_kit/use-drag-reorder';
import { useMoney } from '@/app/_kit/viewer-format';
import { intervalLabels } from './currencies';
import type { ProfileValues, ServiceValues } from './profile-values';

/** The services of the business in display order. Part of the profile's form: nothing is stored before it is saved. */
export function ServicesEditor() {
  const { control, getValues, setValue } = useFormContext<ProfileValues>();
  const { fields, append, insert, move, remove } = useFieldArray({ control, name: 'profile.services', keyName: 'key' });
  const { errors, submitCount } = useFormState({ control });
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [focusOn, setFocusOn] = useState<{ id: string; control: string } | null>(null);

  const nameAt = (index: number) => getValues(`profile.services.${index}.name`) || 'New service';
  const moveRow = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    move(from, to);
    setAnnouncement(`Moved ${nameAt(to)} to position ${to + 1} of ${fields.length}`);
  };
  const { dragged, start } = useDragReorder({ list, onMove: moveRow });

  // A refused field must be in view, even if the row was closed.
  const refused = errors.profile?.services;
  useEffect(() => {
    if (submitCount === 0 || !Array.isArray(refused)) return;
    const ids = getValues('profile.services').flatMap((service, index) => (refused[index] ? [service.id] : []));
    if (ids.length > 0) setOpenIds((open) => (ids.every((id) => open.has(id)) ? open : new Set([...open, ...ids])));
  }, [refused, submitCount, getValues]);

  // The browser drops the focus from an element that moves in the document.
  useEffect(() => {
    if (!focusOn) return;
    const row = list.current?.querySelector(`[data-service="${focusOn.id}"]`);
    const wanted = row?.querySelector<HTMLElement>(`[data-control="${focusOn.control}"]:not(:disabled)`);
    (wanted ?? row?.querySelector<HTMLElement>('[data-control^="move"]:not(:disabled)'))?.focus();
    setFocusOn(null);
  }, [focusOn]);

  const setOpen = (id: string, isOpen: boolean) =>
    setOpenIds((open) => new Set(isOpen ? [...open, id] : [...open].filter((other) => other !== id)));

  const add = () => {
    const last = getValues('profile.services').at(-1);
    const service: ServiceValues = {
      id: uuidv7(),
      name: '',
      description: '',
      price: null,
      currency: last?.currency ?? 'EUR',
      billingInterval: last?.billingInterval ?? 'one-time',
      active: true,
    };
    setOpen(service.id, true);
    append(service, { focusName: `profile.services.${fields.length}.name` });
  };

  const removeRow = (index: number) => {
    const removed = structuredClone(getValues(`profile.services.${index}`));
    remove(index);
    addButton.current?.focus();
    undoToast({
      message: `${removed.name || 'New service'} removed`,
      description: 'Deleted when you save.',
      onUndo: () => {
        // After a second undo, or discarding, it is already there.
        const services = getValues('profile.services');
        if (!services.some((service) => service.id === removed.id))
          insert(Math.min(index, services.length), removed, { shouldFocus: false });
      },
    });
  };

  const toggle = (index: number, active: boolean) => setValue(`profile.services.${index}.active`, active, { shouldDirty: true });

  return (
    <SectionCard
      title="Services"
      description="Your offers and prices, in this order. Inactive services are hidden from customers."
      flush={fields.length > 0}
    >
      {fields.length > 0 && (
        <ul ref={list} aria-label="Services">
          {fields.map((field, index) => (
            <FormRow key={field.key} control={control}>
              <ServiceRow
                id={field.id}
                index={index}
                count={fields.length}
                isOpen={openIds.has(field.id)}
                isDragged={dragged === index}
                onOpenChange={(isOpen) => setOpen(field.id, isOpen)}
                onActiveChange={(active) => toggle(index, active)}
                onDragStart={(event) => start(event, index)}
                onMove={(to) => {
                  moveRow(index, to);
                  setFocusOn({ id: field.id, control: to < index ? 'move-up' : 'move-down' });
                }}
                onRemove={() => removeRow(index)}
              />
            </FormRow>
          ))}
        </ul>
      )}
      <div className={fields.length > 0 ? 'px-5 py-4' : ''}>
        <Button ref={addButton} variant="secondary" size="sm" onPress={add}>
          <Plus aria-hidden />
          Add service
        </Button>
      </div>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </SectionCard>
  );
}

const fields = onDemand(() => import('./service-fields'));

interface ServiceRowProps {
  id: string;
  index: number;
  count: number;
  isOpen: boolean;
  isDragged: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onActiveChange: (active: boolean) => void;
  onDragStart: (event: PointerEvent) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One service: a row to see, sort and switch it; opened, its fields. */
function ServiceRow(props: ServiceRowProps) {
  const { id, index, count, isOpen, isDragged, onOpenChange, onActiveChange, onDragStart, onMove, onRemove } = props;
  const { control } = useFormContext<ProfileValues>();
  const { isDirty } = useFormState({ control });
  // Closed fields join the form with its first change, so that errors in them can be focused.
  const loaded = fields.use(isOpen || isDirty);
  const money = useMoney();
  const service = useWatch({ control, name: `profile.services.${index}` });
  if (!service) return null;
  const name = service.name.trim() || 'New service';
  const price =
    typeof service.price !== 'number'
      ? 'No price'
      : `${money(service.price, service.currency)}${intervalLabels[service.billingInterval].suffix}`;
  const panelId = `service-${id}`;

  return (
    <li
      data-service={id}
      className={`border-b border-separator ${isDragged ? 'relative z-10 bg-surface-hover shadow-overlay' : ''}`}
    >
      <div className="flex min-h-12 items-center gap-1 py-1 pr-3 pl-2 sm:gap-2">
        <DragHandle onDragStart={onDragStart} />
        <RowToggle name={name} isOpen={isOpen} onOpenChange={onOpenChange} panelId={panelId} className="self-stretch">
          <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
            <span className={`truncate font-medium ${service.active ? '' : 'text-muted'}`} title={name}>
              {name}
            </span>
            <span className="truncate text-label text-muted sm:ml-auto" title={price}>
              {price}
            </span>
          </span>
        </RowToggle>
        <Switch label={`${name} is active`} isSelected={service.active} onChange={onActiveChange}>
          <span aria-hidden className="w-12 text-xs text-muted max-sm:hidden">
            {service.active ? 'Active' : 'Inactive'}
          </span>
        </Switch>
        <div className="flex shrink-0">
          <RowButtons name={name} index={index} count={count} onMove={onMove} onRemove={onRemove} />
        </div>
      </div>
      <div id={panelId} hidden={!isOpen} className="px-5 pt-1 pb-5 sm:pl-14">
        {loaded && <loaded.ServiceFields index={index} />}
      </div>
    </li>
  );
}
