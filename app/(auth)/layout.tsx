import type { ReactNode } from 'react';
import { BrandMark } from '@/app/_kit/brand-mark';
import { TRPCProvider } from '@/app/_trpc/client';

/** Layout of the signed-out pages: one column without distractions. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <TRPCProvider>
      <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-4 py-10 sm:justify-center sm:py-16">
        <div className="mb-6 flex items-center gap-2.5">
          <BrandMark />
          <span className="text-base font-semibold tracking-tight">Frontdesk</span>
        </div>
        {children}
      </main>
    </TRPCProvider>
  );
}
