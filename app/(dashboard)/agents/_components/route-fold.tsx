'use client';

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';

interface RouteFoldProps {
  title: string;
  /** What is in it, shown in one line while it is closed. */
  note: string | undefined;
  /** Opens it, so that the field that is refused is in view. */
  isRefused: boolean;
  children: ReactNode;
}

/** Fields of a level that most leave empty. Closed ones stay part of the form. */
export function RouteFold({ title, note, isRefused, children }: RouteFoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();

  useEffect(() => {
    if (isRefused) setIsOpen(true);
  }, [isRefused]);

  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md pr-2 text-label font-medium hover:bg-surface-hover"
      >
        <ChevronDown
          aria-hidden
          className={`size-4 shrink-0 text-muted transition-transform duration-150 ${isOpen ? '' : '-rotate-90'}`}
        />
        <span className="shrink-0">{title}</span>
        {!isOpen && note && <span className="min-w-0 truncate font-normal text-muted">{note}</span>}
      </button>
      <div id={panelId} hidden={!isOpen} className="pt-2 sm:pl-5.5">
        {children}
      </div>
    </div>
  );
}
