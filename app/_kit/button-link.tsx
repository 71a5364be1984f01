'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { Button } from './button';
import { buttonLook } from './button-look';
import { usePermission } from './use-permission';

interface ButtonLinkProps extends ComponentProps<typeof Link> {
  variant?: 'primary' | 'secondary' | 'ghost';
  size?: 'sm' | 'md';
  /** What the member's role has to include for what the page is about; see `Pressable`. */
  needs?: Permission | undefined;
}

/** A link that looks like a button, for actions that open another page. */
export function ButtonLink({ variant = 'secondary', size = 'md', needs, className, ...props }: ButtonLinkProps) {
  const { isAllowed } = usePermission(needs);
  if (!isAllowed) {
    return (
      <Button needs={needs} variant={variant} size={size} className={className}>
        {props.children}
      </Button>
    );
  }
  return <Link {...props} className={buttonLook({ variant, size, className })} />;
}
