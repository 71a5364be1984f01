'use client';

import { useSyncExternalStore } from 'react';
import type { PostSession } from './post-session';
import type { PostView } from './post-view';

/** A part of an editor's state; whoever reads it is drawn anew only when that part changes. @param select answers the same for the same state */
export function usePostView<Part>(session: PostSession, select: (view: PostView) => Part): Part {
  const read = () => select(session.view());
  return useSyncExternalStore(session.subscribe, read, read);
}
