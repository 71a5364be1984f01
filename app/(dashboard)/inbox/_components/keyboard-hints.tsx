'use client';

import { Button } from '@heroui/react/button';
import { Popover } from '@heroui/react/popover';
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { inboxCommands, inboxKeys } from './inbox-keys';
import { useInboxKeys } from './use-inbox-keys';

/** Which keys do what. Of no use where there is no keyboard. */
export function KeyboardHints() {
  const [isOpen, setIsOpen] = useState(false);
  useInboxKeys({ help: () => setIsOpen(true) });
  return (
    <Popover isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button variant="ghost" size="sm" isIconOnly aria-label="Keyboard" aria-keyshortcuts="?" className="max-lg:hidden">
        <Keyboard aria-hidden className="text-muted" />
      </Button>
      <Popover.Content placement="bottom end" className="w-72">
        <Popover.Dialog aria-label="Keyboard" className="p-4">
          <dl className="flex flex-col gap-2 text-label">
            {inboxCommands.map((command) => {
              const { key, name, meaning } = inboxKeys[command];
              return (
                <div key={command} className="flex items-center justify-between gap-4">
                  <dt className="text-muted">{meaning}</dt>
                  <dd>
                    <kbd className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-border px-1 font-sans text-xs">
                      {name ?? key}
                    </kbd>
                  </dd>
                </div>
              );
            })}
          </dl>
        </Popover.Dialog>
      </Popover.Content>
    </Popover>
  );
}
