'use client';

import { Button } from '@heroui/react/button';
import { Dropdown } from '@heroui/react/dropdown';
import { CalendarSync, Ellipsis, Keyboard } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Dialog } from '@/app/_components/dialog';
import { calendarCommands, calendarKeys } from './calendar-keys';
import { useCalendarKeys } from './use-calendar-keys';

const SubscribeDialog = dynamic(() => import('./subscribe/subscribe-dialog').then((module) => module.SubscribeDialog), {
  ssr: false,
});

type OpenDialog = 'subscribe' | 'keyboard' | null;

/** What is done now and then: following this calendar from elsewhere, and looking up its keys. */
export function CalendarMenu() {
  const [open, setOpen] = useState<OpenDialog>(null);
  useCalendarKeys({ help: () => setOpen('keyboard') });
  const [isSubscribeWanted, setIsSubscribeWanted] = useState(false);
  const choose = (dialog: OpenDialog) => {
    setOpen(dialog);
    if (dialog === 'subscribe') setIsSubscribeWanted(true);
  };
  const close = (isOpen: boolean) => {
    if (!isOpen) setOpen(null);
  };
  return (
    <>
      <Dropdown>
        <Button variant="secondary" isIconOnly aria-label="More about this calendar">
          <Ellipsis aria-hidden />
        </Button>
        <Dropdown.Popover placement="bottom end" className="w-56">
          <Dropdown.Menu aria-label="More about this calendar" onAction={(key) => choose(key as OpenDialog)}>
            <Dropdown.Item id="subscribe" textValue="Subscribe…">
              <CalendarSync aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              Subscribe…
            </Dropdown.Item>
            <Dropdown.Item id="keyboard" textValue="Keyboard" className="max-lg:hidden">
              <Keyboard aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              Keyboard
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isSubscribeWanted && <SubscribeDialog isOpen={open === 'subscribe'} onOpenChange={close} />}
      <Dialog isOpen={open === 'keyboard'} onOpenChange={close} title="Keyboard" size="sm">
        <dl className="flex flex-col gap-2 text-label">
          {calendarCommands.map((command) => (
            <div key={command} className="flex items-center justify-between gap-4">
              <dt className="text-muted">{calendarKeys[command].meaning}</dt>
              <dd>
                <kbd className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-border px-1 font-sans text-xs">
                  {calendarKeys[command].name}
                </kbd>
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
