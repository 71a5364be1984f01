import type { EditorView } from '@codemirror/view';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { readSetting, writeSetting } from '@/app/_kit/device-setting';
import { errorFacts } from '@/app/_kit/error-facts';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { ReadOnlyFields, ReadOnlyNote } from '@/app/_kit/read-only';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useMedia } from '@/app/_kit/use-media';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { EditorHeader } from './editor-header';
import { EditorNotices } from './editor-notices';
import type { PostSession } from './post-session';
import { PreviewPane, usePreview } from './preview-pane';
import { reasonOf } from './save-labels';
import { useEditPermission } from './use-edit-permission';
import { usePostSession, usePostView } from './use-post-session';

/** The Markdown editor is larger than the rest of the dashboard's page, and no other page needs it. */
const SourceEditor = dynamic(() => import('./source-editor').then((loaded) => loaded.SourceEditor), {
  ssr: false,
  loading: () => <SkeletonLines shape="text" lines={8} label="Loading editor" />,
});

const DetailsPanel = onDemandComponent(() => import('./details-panel').then((loaded) => loaded.DetailsPanel));

/** Refetches the post when the window gets the focus, and passes it to the session. */
function useFollowServer(session: PostSession): void {
  const trpc = useTRPC();
  const postId = usePostView(session, (view) => view.post?.id);
  const isThere = postId !== undefined;
  const { data, error, refetch } = useQuery(
    trpc.blog.get.queryOptions({ postId: postId ?? '' }, { enabled: isThere, refetchOnWindowFocus: false }),
  );
  useEffect(() => {
    if (!isThere) return;
    // Windows side by side are both visible, so focus is the event to watch.
    const ask = () => void refetch();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [isThere, refetch]);
  useEffect(() => {
    if (data) session.receive(data.data.post);
  }, [session, data]);
  useEffect(() => {
    if (error && errorFacts(error).code === 'not_found') session.receiveDeletion();
  }, [session, error]);
}

/** Gives a newly created post its address without leaving the page, and sets the tab's title. */
function useOwnAddress(session: PostSession): void {
  const postId = usePostView(session, (view) => view.post?.id);
  const title = usePostView(session, (view) => view.post?.title);
  useEffect(() => {
    if (postId === undefined || window.location.pathname === `/posts/${postId}`) return;
    window.history.replaceState(null, '', `/posts/${postId}`);
  }, [postId]);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Frontdesk`;
  }, [title]);
}

export interface PostEditorProps {
  /** The business that owns the blog. */
  identity: { id: string; handle: string; displayName: string | null };
  /** Null for a new one. */
  post: BlogPostRecord | null;
}

/** The post editor: its source on the left, the preview on the right, everything else in a drawer. */
export function PostEditor({ identity, post }: PostEditorProps) {
  const id = useId();
  const siteName = identity.displayName?.trim() || identity.handle;
  const session = usePostSession({ identityId: identity.id, post, authorName: siteName });
  const { preview, isStale } = usePreview(session);
  // Tailwind's `lg`, from which source and preview are side by side.
  const isWide = useMedia('(width >= 64rem)');
  const [pane, setPane] = useState<Pane>('write');
  const [areDetailsOpen, setAreDetailsOpen] = useDetailsOpen(isWide);
  const detailsButton = useRef<HTMLButtonElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const editor = useRef<EditorView | null>(null);
  const onView = useCallback((view: EditorView | null) => {
    editor.current = view;
  }, []);
  const title = usePostView(session, (view) => view.post?.title);
  const textProblem = usePostView(session, (view) => reasonOf(view.fieldErrors, 'content'));
  const needs = useEditPermission(session);
  const { isAllowed } = usePermission(needs);
  useFollowServer(session);
  useOwnAddress(session);

  const saveByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void session.save();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => saveByKey(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  const panelProps = (which: Pane) =>
    isWide
      ? { 'aria-label': which === 'write' ? 'Source' : 'Preview' }
      : { role: 'tabpanel', 'aria-labelledby': `${id}-${which}-tab` };
  const showProblem = () => {
    const { title: inTitle, content: inText } = session.view().fieldErrors;
    if (inTitle !== undefined || inText !== undefined) setPane('write');
    if (inTitle !== undefined) document.getElementById(`${id}-title`)?.focus();
    else if (inText !== undefined) editor.current?.focus();
    else setAreDetailsOpen(true);
  };
  const closeDetails = () => {
    setAreDetailsOpen(false);
    detailsButton.current?.focus();
  };

  return (
    <div data-panes className="flex flex-col max-lg:-mx-4 max-lg:-mt-5 max-lg:sm:-mx-6 lg:h-full">
      <h1 className="sr-only">{title === undefined ? 'New post' : `Edit “${title}”`}</h1>
      <EditorHeader
        session={session}
        preview={preview}
        detailsId={`${id}-details`}
        detailsButton={detailsButton}
        areDetailsOpen={areDetailsOpen}
        onDetails={() => setAreDetailsOpen(!areDetailsOpen)}
        onProblem={showProblem}
      />
      <EditorNotices session={session} />
      <PaneTabs id={id} current={pane} onChange={setPane} />
      <div className="relative lg:flex lg:min-h-0 lg:flex-1">
        <section
          ref={scroller}
          id={`${id}-write`}
          {...panelProps('write')}
          className={`min-w-0 lg:flex-1 lg:basis-0 lg:overflow-y-auto ${pane === 'write' ? '' : 'max-lg:hidden'}`}
        >
          <div className="mx-auto max-w-[46rem] px-4 pt-5 sm:px-6 lg:px-8 lg:pt-8">
            <ReadOnlyNote needs={needs} className="mb-4" />
            <ReadOnlyFields needs={needs}>
              <TitleField id={`${id}-title`} session={session} onLeave={() => editor.current?.focus()} />
              <p id={`${id}-text-problem`} className="text-label text-danger-text">
                {textProblem}
              </p>
              <SourceEditor session={session} describedBy={`${id}-text-problem`} onView={onView} isReadOnly={!isAllowed} />
            </ReadOnlyFields>
          </div>
        </section>
        <section
          id={`${id}-preview`}
          {...panelProps('preview')}
          className={`flex min-w-0 flex-col border-border max-lg:h-[calc(100dvh-17rem)] lg:flex-1 lg:basis-0 lg:border-l ${pane === 'preview' ? '' : 'max-lg:hidden'}`}
        >
          <PreviewPane preview={preview} isStale={isStale} source={scroller} />
        </section>
        {areDetailsOpen && (
          <DetailsPanel
            id={`${id}-details`}
            isDrawer={isWide}
            onClose={closeDetails}
            session={session}
            preview={preview}
            siteName={siteName}
          />
        )}
      </div>
    </div>
  );
}

const panes = ['write', 'preview'] as const;

type Pane = (typeof panes)[number];

const labels: Record<Pane, string> = { write: 'Write', preview: 'Preview' };

interface PaneTabsProps {
  /** Prefix of the ids of tabs and panels. */
  id: string;
  current: Pane;
  onChange: (pane: Pane) => void;
}

/** Switches between source and preview if they do not fit side by side. */
function PaneTabs({ id, current, onChange }: PaneTabsProps) {
  const walk = (event: ReactKeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = current === 'write' ? 'preview' : 'write';
    onChange(other);
    document.getElementById(`${id}-${other}-tab`)?.focus();
  };
  return (
    <div role="tablist" aria-label="Post" onKeyDown={walk} className="flex gap-1 border-b border-border px-2 sm:px-4 lg:hidden">
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          role="tab"
          id={`${id}-${pane}-tab`}
          aria-selected={pane === current}
          aria-controls={`${id}-${pane}`}
          tabIndex={pane === current ? 0 : -1}
          onClick={() => onChange(pane)}
          className={`-mb-px h-10 border-b-2 px-3 -outline-offset-2 focus-visible:outline-2 focus-visible:outline-focus ${
            pane === current ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-foreground'
          }`}
        >
          {labels[pane]}
        </button>
      ))}
    </div>
  );
}

const storageKey = 'frontdesk.post-details';

/**
 * Whether the details are open: a drawer as it was left on this device. A sheet, which covers the post, opens only on request.
 */
function useDetailsOpen(isDrawer: boolean): [boolean, (isOpen: boolean) => void] {
  const [isDrawerOpen, setIsDrawerOpen] = useState(() => readSetting(storageKey) === 'open');
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const openDrawer = (isOpen: boolean) => {
    setIsDrawerOpen(isOpen);
    writeSetting(storageKey, isOpen ? 'open' : 'closed');
  };
  return isDrawer ? [isDrawerOpen, openDrawer] : [isSheetOpen, setIsSheetOpen];
}

interface TitleFieldProps {
  /** Id of the text area. */
  id: string;
  session: PostSession;
  /** Moves the focus to the text. */
  onLeave: () => void;
}

/** The title, as large as readers see it. It grows with its text; Enter moves to the post's text. */
function TitleField({ id, session, onLeave }: TitleFieldProps) {
  const title = usePostView(session, (view) => view.values.title);
  const problem = usePostView(session, (view) => reasonOf(view.fieldErrors, 'title'));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { post, values } = session.view();
    if (post === null && values.title === '') field.current?.focus();
  }, [session]);
  const onKeyDown = (event: ReactKeyboardEvent) => {
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
