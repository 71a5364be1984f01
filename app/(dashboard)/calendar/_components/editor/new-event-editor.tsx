'use client';

import { useState } from 'react';
import { EventEditor } from './event-editor';
import { type EventTimes, newValues } from './event-values';

interface NewEventEditorProps {
  draft: EventTimes;
  onClose: () => void;
  onCreated: (eventId: string) => void;
  onDirtyChange: (isDirty: boolean) => void;
}

/** The editor of an event that does not exist yet. */
export function NewEventEditor({ draft, onClose, onCreated, onDirtyChange }: NewEventEditorProps) {
  const [initial] = useState(() => newValues(draft));
  return (
    <EventEditor
      event={null}
      latest={null}
      initial={initial}
      onCancel={onClose}
      onClose={onClose}
      onSaved={({ id }) => onCreated(id)}
      onDirtyChange={onDirtyChange}
    />
  );
}
