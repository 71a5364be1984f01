'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { RoleProvider } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import { onFailedCall } from '@/app/_trpc/reporting-link';
import type { FrameProps } from '../frame-props';

interface MemberRoleProps {
  identity: FrameProps['identity'];
  lacksTwoFactor: boolean;
  children: ReactNode;
}

/** Provides the member's role to the pages, and asks for it again when a refusal shows that it has changed. */
export function MemberRole({ identity, lacksTwoFactor, children }: MemberRoleProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { role } = identity;

  useEffect(() => {
    let isRefreshing = false;
    const refresh = async (error: unknown) => {
      if (isRefreshing) return;
      isRefreshing = true;
      try {
        // Loaded on demand: calls seldom fail, and every page includes this file.
        const { isNews } = await import('./role-news');
        if (!isNews(error, role, lacksTwoFactor)) return;
        await queryClient.fetchQuery(trpc.account.get.queryOptions({}, { staleTime: 0 }));
        router.refresh();
      } catch {
        // The next refusal asks again.
      } finally {
        isRefreshing = false;
      }
    };
    return onFailedCall((error) => void refresh(error));
  }, [queryClient, router, trpc, role, lacksTwoFactor]);

  return <RoleProvider value={role}>{children}</RoleProvider>;
}
