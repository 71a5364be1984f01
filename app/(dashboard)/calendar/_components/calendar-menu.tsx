'use client';

import { CalendarSync, Ellipsis, Keyboard } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { openFrameOverlay } from '../../_components/frame-overlay';

const SubscribeDialog = onDemandComponent(() => import('./subscribe/subscribe-dialog').then((module) => module.SubscribeDialog));

/** What is done now and then: following this calendar from elsewhere, and looking up its keys. */
export function CalendarMenu() {
  const [isSubscribeOpen, setIsSubscribeOpen] = useState(false);
  const [isSubscribeWanted, setIsSubscribeWanted] = useState(false);
  const choose = (key: unknown) => {
    if (key === 'keyboard') return openFrameOverlay('shortcuts');
    setIsSubscribeOpen(true);
    setIsSubscribeWanted(true);
  };
  return (
    <>
      <Dropdown>
        <IconButton size="md" variant="secondary" label="More about this calendar">
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end" className="w-56">
          <Dropdown.Menu aria-label="More about this calendar" onAction={choose}>
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
      {isSubscribeWanted && <SubscribeDialog isOpen={isSubscribeOpen} onOpenChange={setIsSubscribeOpen} />}
    </>
  );
}
