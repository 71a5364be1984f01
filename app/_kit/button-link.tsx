'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';

import { buttonLook } from './button-look';

interface ButtonLinkProps extends ComponentProps<typeof Link> {
  variant?: 'primary' | 'secondary' | 'ghost';
  size?: 'sm' | 'md';
}

/** A link that looks like a button, for actions that open another page. */
export function ButtonLink({ variant = 'secondary', size = 'md', className, ...props }: ButtonLinkProps) {
  return <Link {...props} className={buttonLook({ variant, size, className })} />;
}
