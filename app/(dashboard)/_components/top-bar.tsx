import { PaletteButton } from './command-palette/palette-button';
import type { FrameProps } from './frame-props';
import { IdentitySwitcher } from './identity-switcher';
import { UserMenu } from './user-menu';

/** What the sidebar's head and foot are on a laptop, on a phone. */
export function TopBar({ account, identity }: FrameProps) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-2 border-b border-border bg-background-secondary px-3 lg:hidden">
      <div className="min-w-0 max-w-64 flex-1">
        <IdentitySwitcher account={account} identity={identity} />
      </div>
      <div className="flex shrink-0 items-center">
        <PaletteButton isCompact />
        <UserMenu email={account.user.email} placement="bottom end" isCompact />
      </div>
    </header>
  );
}
