'use client';

import { ChevronsUpDown, LogOut, Settings } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import type { ComponentProps } from 'react';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { themeChoices } from '@/app/_kit/theme-choices';
import { leavePage } from '@/app/_kit/unsaved-changes';
import type { Account } from '@/server/features/accounts/account.schema';
import { useSignOut } from './sign-out';

interface UserMenuProps {
  user: Account['user'];
  placement: ComponentProps<typeof Dropdown.Popover>['placement'];
  /** Only the photo, on a phone. */
  isCompact?: boolean;
}

/** The signed-in account: theme, settings, sign out. */
export function UserMenu({ user: { email, displayName, photoUrl }, placement, isCompact = false }: UserMenuProps) {
  const router = useRouter();
  const signOut = useSignOut();
  const { theme = 'system', setTheme } = useTheme();
  return (
    <Dropdown>
      <Dropdown.Trigger
        aria-label={`Account: ${email}`}
        className={`flex items-center gap-2.5 rounded-md text-left hover:bg-background-tertiary ${
          isCompact ? 'size-10 justify-center' : 'h-9 w-full px-1.5'
        }`}
      >
        <PersonAvatar name={displayName.trim() || email} photoUrl={photoUrl} size="xs" />
        {!isCompact && (
          <>
            <span className="min-w-0 truncate" title={email}>
              {email}
            </span>
            <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-muted" />
          </>
        )}
      </Dropdown.Trigger>
      <Dropdown.Popover placement={placement ?? 'top'} className="w-60">
        <Dropdown.Menu
          aria-label="Account"
          onAction={(key) => {
            if (key === 'settings') leavePage(() => router.push('/settings'));
            if (key === 'sign-out') signOut();
          }}
        >
          <Dropdown.Section
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => setTheme(String([...keys][0] ?? 'system'))}
          >
            <Dropdown.Header className="px-2 py-1 text-xs text-muted">{isCompact ? email : 'Theme'}</Dropdown.Header>
            {themeChoices.map(({ value, label, icon: Icon }) => (
              <Dropdown.Item key={value} id={value} textValue={label}>
                <Dropdown.ItemIndicator />
                <Icon aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
                {label}
              </Dropdown.Item>
            ))}
          </Dropdown.Section>
          <Dropdown.Separator className="my-1" />
          <Dropdown.Item id="settings" textValue="Settings">
            <Settings aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
            Settings
          </Dropdown.Item>
          <Dropdown.Item id="sign-out" textValue="Sign out">
            <LogOut aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
            Sign out
          </Dropdown.Item>
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
