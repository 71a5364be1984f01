import type { ReactNode } from 'react';
import { BrandMark } from './brand-mark';

interface MessagePageProps {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** A page with only a message: not found, failed. */
export function MessagePage({ title, children, actions }: MessagePageProps) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-16">
      <BrandMark className="mb-6 size-8" />
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <div className="mt-2 flex flex-col gap-2 text-muted">{children}</div>
      {actions && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
    </main>
  );
}
