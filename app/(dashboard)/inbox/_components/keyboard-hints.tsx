'use client';

import { Keyboard } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { openFrameOverlay } from '../../_components/frame-overlay';

/** Leads to which keys do what. Of no use where there is no keyboard. */
export function KeyboardHints() {
  return (
    <Button
      variant="ghost"
      size="sm"
      isIconOnly
      aria-label="Keyboard"
      aria-haspopup="dialog"
      aria-keyshortcuts="?"
      className="max-lg:hidden"
      onPress={() => openFrameOverlay('shortcuts')}
    >
      <Keyboard aria-hidden className="text-muted" />
    </Button>
  );
}
