import { Tag } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard } from '@/app/_kit/use-permission';
import type { ShownLabel } from '@/server/features/conversations/label.schema';
import { LabelDot } from '../../_components/label-dot';
import { inboxKeys } from './inbox-keys';
import { useLabels } from './use-labels';

const LabelDialog = onDemandComponent(() =>
  import('../../settings/labels/_components/label-dialog').then((module) => module.LabelDialog),
);

interface LabelMenuProps {
  /** Those that all of the conversations have. */
  present: readonly Pick<ShownLabel, 'id'>[];
  isDisabled?: boolean;
  /** False if its key is for another menu. */
  hasKey?: boolean;
  onChange: (label: ShownLabel, isOn: boolean) => void;
}

/** Adds labels to conversations, and removes them. */
export function LabelMenu({ present, isDisabled = false, hasKey = true, onChange }: LabelMenuProps) {
  const labels = useLabels();
  const router = useRouter();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isCreating, setIsCreating] = useState(false);
  const guard = useGuard('conversations:write');
  usePageKeys('Inbox', inboxKeys, hasKey && !isDisabled ? { label: guard(() => trigger.current?.click()) } : {});
  const on = new Set(present.map(({ id }) => id));
  const act = (action: unknown) => {
    const label = labels.find(({ id }) => id === action);
    if (label) onChange(label, !on.has(label.id));
    else if (action === 'new') setIsCreating(true);
    else router.push('/settings/labels');
  };
  return (
    <>
      <Dropdown>
        <IconButton
          ref={trigger}
          label="Labels"
          hint={`Labels (${inboxKeys.label.keys[0]})`}
          needs="conversations:write"
          isDisabled={isDisabled}
        >
          <Tag aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom start" className="max-h-80 w-60">
          <Dropdown.Menu aria-label="Labels" onAction={act}>
            {labels.map(({ id, name, color }) => (
              <Dropdown.Item key={id} id={id} textValue={on.has(id) ? `Remove ${name}` : name}>
                <LabelDot color={color} />
                <Dropdown.Label>{name}</Dropdown.Label>
                {on.has(id) && <span className="ml-auto text-xs text-muted">Remove</span>}
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="new" textValue="New label…">
              <Dropdown.Label>New label…</Dropdown.Label>
            </Dropdown.Item>
            {labels.length > 0 && (
              <Dropdown.Item id="manage" textValue="Manage labels">
                <Dropdown.Label>Manage labels</Dropdown.Label>
              </Dropdown.Item>
            )}
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isCreating && <LabelDialog label={null} onClose={() => setIsCreating(false)} onSaved={(label) => onChange(label, true)} />}
    </>
  );
}
