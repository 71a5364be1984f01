'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Braces, Building2, Copy, Keyboard, LogOut, Plus } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTheme } from 'next-themes';
import { copyText } from '@/app/_kit/copy-button';
import { errorFacts } from '@/app/_kit/error-facts';
import { themeChoices } from '@/app/_kit/theme-choices';
import { toast } from '@/app/_kit/toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import { pageCallsOf } from '../api-drawer/page-calls';
import { openFrameOverlay } from '../frame-overlay';
import type { FrameProps } from '../frame-props';
import { mainEntries, setupEntries } from '../nav-entries';
import { goKeys, newThings } from '../shortcuts/frame-keys';
import { useSignOut } from '../use-sign-out';
import type { PaletteEntry } from './palette-entries';

/** The pages one can go to. */
export const pageEntries: readonly PaletteEntry[] = [...mainEntries, ...setupEntries].map(({ href, label, icon }) => ({
  id: `page:${href}`,
  title: label,
  icon,
  keywords: 'go to open page',
  keys: goKeys(href),
  href,
}));

const newEntries: readonly PaletteEntry[] = Object.entries(newThings).map(([name, { meaning, href }]) => ({
  id: `new:${name}`,
  title: meaning,
  icon: Plus,
  keywords: 'new add create',
  href,
}));

/** Asks the server where the public blog is, and copies that. */
function useCopyBlogAddress(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async () => {
    try {
      const { siteUrl } = await queryClient.fetchQuery(trpc.blog.overview.queryOptions({}));
      if (await copyText(siteUrl)) toast.success(`Copied ${siteUrl}`);
      else toast.error(`Copying is not allowed here. The blog is at ${siteUrl}`);
    } catch (error) {
      toast.error(`The address could not be looked up. ${errorFacts(error).message}`);
    }
  };
}

function useSwitchEntries({ account, identity }: FrameProps): PaletteEntry[] {
  const trpc = useTRPC();
  const switchIdentity = useMutation(
    trpc.account.switchIdentity.mutationOptions({
      // A full load of the section's first page, as in the identity switcher.
      onSuccess: () => window.location.assign(`/${window.location.pathname.split('/')[1] ?? ''}`),
      onError: (error) => toast.error(`The business was not switched. ${errorFacts(error).message}`),
    }),
  );
  return account.identities
    .filter(({ id }) => id !== identity.id)
    .map(({ id, displayName, handle }) => ({
      id: `identity:${id}`,
      title: `Switch to ${displayName || handle}`,
      icon: Building2,
      keywords: `business identity ${handle}`,
      run: () => leavePage(() => switchIdentity.mutate({ identityId: id })),
    }));
}

/** What one can do from anywhere. */
export function usePaletteActions(frame: FrameProps): PaletteEntry[] {
  const { setTheme } = useTheme();
  const hasCalls = pageCallsOf(usePathname()) !== null;
  const copyBlogAddress = useCopyBlogAddress();
  const signOut = useSignOut();
  const switchEntries = useSwitchEntries(frame);
  return [
    ...newEntries,
    ...switchEntries,
    ...(hasCalls
      ? [
          {
            id: 'api-drawer',
            title: 'API calls behind this page',
            icon: Braces,
            keywords: 'curl typescript rest',
            run: () => openFrameOverlay('api'),
          },
        ]
      : []),
    {
      id: 'docs',
      title: 'API reference',
      icon: BookOpen,
      keywords: 'open docs documentation rest',
      href: '/docs',
      isOutside: true,
    },
    { id: 'copy-blog', title: 'Copy blog address', icon: Copy, keywords: 'public url link', run: copyBlogAddress },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      icon: Keyboard,
      keywords: 'keys help',
      keys: '?',
      run: () => openFrameOverlay('shortcuts'),
    },
    ...themeChoices.map(({ value, label, icon }) => ({
      id: `theme:${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      icon,
      keywords: 'change theme mode appearance',
      run: () => setTheme(value),
    })),
    {
      id: 'sign-out',
      title: 'Sign out',
      icon: LogOut,
      keywords: 'log out leave',
      run: () => leavePage(signOut),
    },
  ];
}
