import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { DraftScopeProvider } from '@/app/_kit/draft-scope';
import { TRPCProvider } from '@/app/_trpc/client';
import { currentSession, feedStart, serverQueryClient, trpc } from '@/app/_trpc/server';
import { ApiLink } from './_components/api-link';
import { BottomBar } from './_components/bottom-bar';
import { PaletteButton } from './_components/command-palette/palette-button';
import { FrameOverlays } from './_components/frame-overlays';
import type { FrameProps } from './_components/frame-props';
import { IdentitySwitcher } from './_components/identity-switcher';
import { KeepSession } from './_components/keep-session';
import { LiveEvents } from './_components/live/live-events';
import { NoIdentity } from './_components/no-identity';
import { NotificationBell } from './_components/notifications/notification-bell';
import { PageProgress } from './_components/page-progress';
import { Sidebar } from './_components/sidebar';
import { SingleSignOnResult } from './_components/single-sign-on-result';
import { MemberRole } from './_components/team/member-role';
import { PageGate } from './_components/team/page-gate';
import { UserMenu } from './_components/user-menu';

/** The frame around every page of a signed-in member. The session is checked here; pages and their calls check it again. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  if (!session) {
    const path = (await headers()).get('x-frontdesk-path') ?? '/';
    redirect(path === '/' ? '/sign-in' : `/sign-in?callbackUrl=${encodeURIComponent(path)}`);
  }
  const account = await serverQueryClient().fetchQuery(trpc.account.get.queryOptions({}));
  const identity = account.identities.find(({ id }) => id === account.identityId);
  if (!identity) return <NoIdentity email={account.user.email} />;
  const { lacksTwoFactor = false } = session;
  return (
    <TRPCProvider key={identity.id} identityId={identity.id}>
      <MemberRole identity={identity} lacksTwoFactor={lacksTwoFactor}>
        <DraftScopeProvider userId={account.user.id} identityId={identity.id}>
          <a
            href="#content"
            className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
          >
            Skip to content
          </a>
          <KeepSession />
          <SingleSignOnResult />
          <LiveEvents identityId={identity.id} after={await feedStart()} />
          <Sidebar account={account} identity={identity} />
          <div className="flex min-h-dvh flex-col lg:pl-60">
            <TopBar account={account} identity={identity} />
            <PageProgress />
            <main
              id="content"
              tabIndex={-1}
              className="w-full max-w-[1248px] flex-1 px-4 pt-5 pb-24 outline-none sm:pb-10 sm:px-6 lg:pt-8"
            >
              <PageGate requiresTwoFactorOf={lacksTwoFactor ? identity.displayName || identity.handle : null}>
                <NuqsAdapter>{children}</NuqsAdapter>
              </PageGate>
            </main>
            <ApiLink />
          </div>
          <BottomBar />
          <FrameOverlays account={account} identity={identity} />
        </DraftScopeProvider>
      </MemberRole>
    </TRPCProvider>
  );
}

/** On a phone, replaces the head and foot of the sidebar. */
function TopBar({ account, identity }: FrameProps) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-2 border-b border-border bg-background-secondary px-3 lg:hidden">
      <div className="min-w-0 max-w-64 flex-1">
        <IdentitySwitcher account={account} identity={identity} />
      </div>
      <div className="flex shrink-0 items-center">
        <PaletteButton isCompact />
        <NotificationBell className="size-10" />
        <UserMenu user={account.user} placement="bottom end" isCompact />
      </div>
    </header>
  );
}
