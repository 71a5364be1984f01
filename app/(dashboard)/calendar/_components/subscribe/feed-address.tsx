'use client';

import { CalendarPlus } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { buttonLook } from '@/app/_kit/button-look';
import { CodeLine } from '@/app/_kit/code-line';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SubscribeGuide } from './subscribe-guide';
import { webcalAddress } from './webcal-address';

interface FeedAddressProps {
  url: string;
  createdAt: string | null;
  onReplace: () => void;
  onTurnOff: () => void;
}

/** An address that is there: taken along, put into a calendar, replaced or turned off. */
export function FeedAddress({ url, createdAt, onReplace, onTurnOff }: FeedAddressProps) {
  return (
    <div className="flex flex-col gap-4">
      <CodeLine label="Secret address" value={url} copyLabel="Copy address" />
      <a href={webcalAddress(url)} className={buttonLook({ variant: 'primary', className: 'w-fit max-sm:w-full' })}>
        <CalendarPlus aria-hidden />
        Open in calendar app
      </a>
      <SubscribeGuide />
      <div className="flex flex-wrap items-center gap-2 border-t border-separator pt-4">
        {createdAt !== null && (
          <p className="mr-auto text-label text-muted max-sm:w-full">
            Made <RelativeTime value={createdAt} />
          </p>
        )}
        <Button variant="secondary" size="sm" onPress={onReplace}>
          Replace address
        </Button>
        <Button variant="secondary" size="sm" className="text-danger-text" onPress={onTurnOff}>
          Turn off
        </Button>
      </div>
    </div>
  );
}
