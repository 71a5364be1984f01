'use client';

import { Popover } from '@heroui/react/popover';
import type { ComponentProps } from 'react';

/** What a pop-up consists of, fetched when the first is opened. */
export { Popover };

export type PopoverPlacement = ComponentProps<typeof Popover.Content>['placement'];
