'use client';

import { useState } from 'react';
import { EventEditor } from './event-editor';
import { type EventTimes, newValues } from './event-values';
import type { DirtyChange } from './use-save-event';

interface NewEventEditorProps {
  draft: EventTimes;
  /** Begins with what was typed before and not saved. */
  restoresDraft: boolean;
  onClose: () => void;
  onCreated: (eventId: string) => void;
  onDirtyChange: DirtyChange;
}

/** The editor of an event that does not exist yet. */
export function NewEventEditor({ draft, restoresDraft, onClose, onCreated, onDirtyChange }: NewEventEditorProps) {
  const [initial] = useState(() => newValues(draft));
  return (
    <EventEditor
      event={null}
      latest={null}
      initial={initial}
      restoresDraft={restoresDraft}
      onCancel={onClose}
      onClose={onClose}
      onSaved={({ id }) => onCreated(id)}
      onDirtyChange={onDirtyChange}
    />
  );
}
