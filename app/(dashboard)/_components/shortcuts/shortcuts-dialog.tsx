import { Dialog } from '@/app/_kit/overlay/dialog';
import { keyNames } from '@/app/_kit/page-keys';
import { useIsMac } from '@/app/_kit/use-is-mac';
import { currentKeys } from '@/app/_kit/use-page-keys';

interface ShortcutsDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The shortcuts of this page and of all pages, from the same lists that implement them. */
export function ShortcutsDialog({ isOpen, onOpenChange }: ShortcutsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="lg">
      <KeyLists />
    </Dialog>
  );
}

function KeyLists() {
  const isMac = useIsMac();
  return (
    <div className="gap-x-10 sm:columns-2">
      {currentKeys().map(({ title, keys }) => (
        <section key={title} aria-label={title} className="mb-5 break-inside-avoid">
          <h3 className="mb-1.5 text-label font-medium text-muted">{title}</h3>
          <dl className="flex flex-col">
            {keys.map(({ keys: [chord = ''], meaning }) => (
              <div key={chord} className="flex min-h-8 items-center justify-between gap-4">
                <dt>{meaning}</dt>
                <dd className="flex shrink-0 items-center gap-1 text-xs text-muted">
                  {keyNames(chord, isMac).map((name, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice, and the order never changes
                    <span key={index} className="contents">
                      {index > 0 && <span>then</span>}
                      <kbd className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-border px-1 font-sans text-foreground">
                        {name}
                      </kbd>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
