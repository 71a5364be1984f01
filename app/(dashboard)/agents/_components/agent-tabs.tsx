'use client';

import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react';
import { isPlainClick } from '@/app/_kit/plain-click';

export const tabKeys = ['persona', 'routes', 'activity', 'configuration'] as const;

export type TabKey = (typeof tabKeys)[number];

const labels: Record<TabKey, string> = {
  persona: 'Persona',
  routes: 'Routes',
  activity: 'Activity',
  configuration: 'Configuration',
};

interface AgentTabsProps {
  /** The page's address, to which a tab is a query. */
  path: string;
  current: TabKey;
  onChange: (tab: TabKey) => void;
  /** What the current tab holds. */
  children: ReactNode;
}

/** Arrow keys, Home and End walk along the tabs; Enter opens the one that has the focus, since leaving may have to be confirmed. */
function walkTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const index = tabs.indexOf(event.target as HTMLElement);
  const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
  const target = targets[event.key];
  if (index === -1 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === ' ') {
    event.preventDefault();
    tabs[index]?.click();
  }
  if (target === undefined) return;
  event.preventDefault();
  tabs.at(target % tabs.length)?.focus();
}

/** The four sides of an agent. Tabs are links, so that each has an address, opens elsewhere and is a step back. */
export function AgentTabs({ path, current, onChange, children }: AgentTabsProps) {
  const id = useId();
  const follow = (event: MouseEvent, tab: TabKey) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onChange(tab);
  };
  return (
    <>
      <div className="mb-6 overflow-x-auto border-b border-border max-sm:-mx-4 max-sm:px-4 [scrollbar-width:none]">
        <div role="tablist" aria-label="Agent" onKeyDown={walkTabs} className="flex gap-1 sm:gap-2">
          {tabKeys.map((tab) => {
            const isCurrent = tab === current;
            return (
              <a
                key={tab}
                id={`${id}-${tab}`}
                role="tab"
                href={tab === 'persona' ? path : `${path}?tab=${tab}`}
                aria-selected={isCurrent}
                aria-controls={isCurrent ? `${id}-panel` : undefined}
                tabIndex={isCurrent ? 0 : -1}
                onClick={(event) => follow(event, tab)}
                className={`flex h-10 shrink-0 items-center border-b-2 px-2 whitespace-nowrap -outline-offset-2 sm:px-3 ${
                  isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
                }`}
              >
                {labels[tab]}
              </a>
            );
          })}
        </div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
