'use client';

import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import { v7 as uuidv7 } from 'uuid';
import { Button } from '@/app/_kit/button';
import { FormRow } from '@/app/_kit/form-row';
import { SectionCard } from '@/app/_kit/section-card';
import { undoToast } from '@/app/_kit/undo-toast';
import { useDragReorder } from '@/app/_kit/use-drag-reorder';
import type { ProfileValues, ServiceValues } from './profile-values';
import { ServiceRow } from './service-row';

/** What the business offers, in the order it is shown. Part of the profile's form: nothing is stored before it is saved. */
export function ServicesEditor() {
  const { control, getValues, setValue } = useFormContext<ProfileValues>();
  const { fields, append, insert, move, remove } = useFieldArray({ control, name: 'profile.services', keyName: 'key' });
  const { errors, submitCount } = useFormState({ control });
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [focusOn, setFocusOn] = useState<{ id: string; control: string } | null>(null);

  const nameAt = (index: number) => getValues(`profile.services.${index}.name`) || 'The new service';
  const moveRow = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    move(from, to);
    setAnnouncement(`${nameAt(to)} is now number ${to + 1} of ${fields.length}`);
  };
  const { dragged, start } = useDragReorder({ list, onMove: moveRow });

  // A field that was refused must be in view, wherever the row was closed.
  const refused = errors.profile?.services;
  useEffect(() => {
    if (submitCount === 0 || !Array.isArray(refused)) return;
    const ids = getValues('profile.services').flatMap((service, index) => (refused[index] ? [service.id] : []));
    if (ids.length > 0) setOpenIds((open) => (ids.every((id) => open.has(id)) ? open : new Set([...open, ...ids])));
  }, [refused, submitCount, getValues]);

  // The browser drops the focus from an element that changes its place in the document.
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
      message: `${removed.name || 'The new service'} was removed`,
      description: 'It is gone for good once you save.',
      onUndo: () => {
        // Undone twice, or discarded meanwhile: it is there already.
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
      description="What you offer, with prices, in the order it is shown. Inactive ones stay here but are not offered."
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
