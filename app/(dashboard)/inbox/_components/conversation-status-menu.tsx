'use client';

import { ChevronDown } from 'lucide-react';
import { keysOf } from '@/app/_kit/keys-of';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { ConversationStatus } from '@/server/features/conversations/conversation.schema';
import { statusWords } from './conversation-words';

interface ConversationStatusMenuProps {
  status: ConversationStatus;
  onChange: (status: ConversationStatus) => void;
}

const statuses = keysOf(statusWords);

/** Says how far the conversation is, and changes it; each choice says what it means. */
export function ConversationStatusMenu({ status, onChange }: ConversationStatusMenuProps) {
  const { label, tone } = statusWords[status];
  return (
    <Dropdown>
      <Dropdown.Trigger
        aria-label={`Status: ${label}`}
        className="flex h-7 items-center gap-1 rounded-md pr-1 hover:bg-surface-hover focus-visible:outline-2 focus-visible:outline-focus"
      >
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <ChevronDown aria-hidden className="size-3.5 text-muted" />
      </Dropdown.Trigger>
      <Dropdown.Popover placement="bottom start" className="w-72">
        <Dropdown.Menu
          aria-label="Status"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[status]}
          onSelectionChange={(keys) => {
            const chosen = statuses.find((candidate) => [...keys].includes(candidate));
            if (chosen && chosen !== status) onChange(chosen);
          }}
        >
          {statuses.map((choice) => (
            <Dropdown.Item key={choice} id={choice} textValue={statusWords[choice].label}>
              <Dropdown.ItemIndicator />
              <span className="flex min-w-0 flex-col">
                <span>{statusWords[choice].label}</span>
                <span className="text-xs text-muted">{statusWords[choice].meaning}</span>
              </span>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
