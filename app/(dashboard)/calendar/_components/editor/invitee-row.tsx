'use client';

import { X } from 'lucide-react';
import { fieldMessage } from '@/app/_kit/field-message';
import { IconButton } from '@/app/_kit/icon-button';
import { StatusBadge } from '@/app/_kit/status-badge';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import type { InviteeRecord } from '@/server/features/calendar/invitee.schema';
import { compactField } from './compact-field';
import type { InviteeValues } from './event-values';
import { answerWords } from './event-words';

interface InviteeRowProps {
  invitee: InviteeValues;
  /** Who was invited before, with the answer. */
  stored: InviteeRecord | null;
  reason: string | undefined;
  onChange: (changes: Partial<InviteeValues>) => void;
  onRemove: () => void;
  onBlur: () => void;
}

/** One who is invited: the address, a name for the invitation, and whether the event does without them. */
export function InviteeRow({ invitee, stored, reason, onChange, onRemove, onBlur }: InviteeRowProps) {
  const { email, name, isOptional } = invitee;
  const answer = stored && stored.responseStatus !== 'needs_action' ? answerWords[stored.responseStatus] : null;
  const isOver = [...name].length > eventLimits.inviteeName;
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate" title={email}>
          {email}
        </span>
        {stored?.isOrganizer ? (
          <StatusBadge tone="neutral">You</StatusBadge>
        ) : answer ? (
          <StatusBadge tone={answer.tone}>{answer.label}</StatusBadge>
        ) : (
          stored === null && <StatusBadge tone="info">New</StatusBadge>
        )}
        <IconButton label={`Remove ${email}`} onPress={onRemove} className="-mr-1.5">
          <X aria-hidden className="text-muted" />
        </IconButton>
      </div>
      <div className="flex items-center gap-3">
        <input
          aria-label={`Name of ${email}`}
          aria-invalid={isOver || reason ? true : undefined}
          value={name}
          placeholder="Name"
          autoComplete="off"
          onChange={({ target }) => onChange({ name: target.value })}
          onBlur={onBlur}
          className={`${compactField} flex-1`}
        />
        <label className="flex shrink-0 cursor-pointer items-center gap-1.5 text-label">
          <input
            type="checkbox"
            checked={isOptional}
            aria-label={`${email} is optional`}
            onChange={({ target }) => onChange({ isOptional: target.checked })}
            className="size-4 accent-accent"
          />
          Optional
        </label>
      </div>
      {reason && <p className="text-label text-danger-text">{fieldMessage(`“${email}”`, reason)}</p>}
    </li>
  );
}
