'use client';

import { Trash2 } from 'lucide-react';
import type { PointerEvent } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { IconButton } from '@/app/_kit/icon-button';
import { MoveButton } from '@/app/_kit/move-button';
import { onDemand } from '@/app/_kit/overlay/load-on-demand';
import { DragHandle, RowToggle } from '@/app/_kit/sortable-row';
import { Switch } from '@/app/_kit/switch';
import { useMoney } from '@/app/_kit/viewer-format';
import { intervalLabels } from './currencies';
import type { ProfileValues } from './profile-values';

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

/** One service: a line to see, sort and switch it; opened, its fields. */
export function ServiceRow(props: ServiceRowProps) {
  const { id, index, count, isOpen, isDragged, onOpenChange, onActiveChange, onDragStart, onMove, onRemove } = props;
  const { control } = useFormContext<ProfileValues>();
  const { isDirty } = useFormState({ control });
  // Closed fields become part of the form with its first change, so that what is wrong in them can be gone to.
  const loaded = fields.use(isOpen || isDirty);
  const money = useMoney();
  const service = useWatch({ control, name: `profile.services.${index}` });
  if (!service) return null;
  const name = service.name.trim() || 'New service';
  const price =
    typeof service.price !== 'number'
      ? 'No price yet'
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
        <Switch label={`${name} is offered`} isSelected={service.active} onChange={onActiveChange}>
          <span aria-hidden className="w-12 text-xs text-muted max-sm:hidden">
            {service.active ? 'Active' : 'Inactive'}
          </span>
        </Switch>
        <div className="flex shrink-0">
          <MoveButton direction="up" name={name} isDisabled={index === 0} onPress={() => onMove(index - 1)} />
          <MoveButton direction="down" name={name} isDisabled={index === count - 1} onPress={() => onMove(index + 1)} />
          <IconButton label={`Remove ${name}`} onPress={onRemove}>
            <Trash2 aria-hidden className="text-muted" />
          </IconButton>
        </div>
      </div>
      <div id={panelId} hidden={!isOpen} className="px-5 pt-1 pb-5 sm:pl-14">
        {loaded && <loaded.ServiceFields index={index} />}
      </div>
    </li>
  );
}
