'use client';

import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { PostSession } from './post-session';
import { reasonOf } from './save-labels';
import { usePostView } from './use-post-session';

interface TitleFieldProps {
  /** Id of the text area. */
  id: string;
  session: PostSession;
  /** Moves the focus to the text. */
  onLeave: () => void;
}

/** The title, as large as readers see it. It grows with its text; Enter moves to the post's text. */
export function TitleField({ id, session, onLeave }: TitleFieldProps) {
  const title = usePostView(session, (view) => view.values.title);
  const problem = usePostView(session, (view) => reasonOf(view.fieldErrors, 'title'));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { post, values } = session.view();
    if (post === null && values.title === '') field.current?.focus();
  }, [session]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onLeave();
  };
  const shape =
    'col-start-1 row-start-1 min-w-0 text-[1.75rem] leading-9 font-semibold tracking-tight wrap-anywhere sm:text-[2rem] sm:leading-10';
  return (
    <div className="pb-2">
      <div className="grid">
        {/* Sets the height, since not every browser sizes a text area by its content. */}
        <div aria-hidden className={`invisible whitespace-pre-wrap ${shape}`}>
          {`${title} `}
        </div>
        <textarea
          id={id}
          rows={1}
          aria-label="Title"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          placeholder="Title"
          ref={field}
          spellCheck
          value={title}
          onChange={(event) => session.change({ title: event.target.value.replace(/\s*\n\s*/g, ' ') })}
          onBlur={session.saveSoon}
          onKeyDown={onKeyDown}
          className={`resize-none overflow-hidden bg-transparent outline-none placeholder:text-muted/70 ${shape}`}
        />
      </div>
      {problem && (
        <p id={`${id}-problem`} className="mt-1 text-label text-danger-text">
          {problem}
        </p>
      )}
    </div>
  );
}
