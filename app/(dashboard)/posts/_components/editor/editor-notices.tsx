import { Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { copyText } from '@/app/_kit/copy-button';
import { FormError } from '@/app/_kit/form-error';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import type { PostSession } from './post-session';
import type { PostValues } from './post-values';
import { usePostView } from './use-post-session';

const ConflictDialog = onDemandComponent(() => import('./conflict-dialog').then((module) => module.ConflictDialog));

interface NoticeProps {
  tone: 'info' | 'warning';
  children: ReactNode;
  actions: ReactNode;
}

function Notice({ tone, children, actions }: NoticeProps) {
  const Icon = tone === 'warning' ? TriangleAlert : Info;
  return (
    <div
      role={tone === 'warning' ? 'alert' : 'status'}
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border px-4 py-2 sm:px-6 ${
        tone === 'warning' ? 'bg-warning-soft text-warning-text' : 'bg-info-soft text-info-text'
      }`}
    >
      <p className="flex min-w-0 flex-1 basis-56 items-start gap-2">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        {children}
      </p>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </div>
  );
}

/** Messages about the post as a whole: changed or deleted elsewhere, restored, refused. */
export function EditorNotices({ session }: { session: PostSession }) {
  const conflict = usePostView(session, (view) => view.conflict);
  const isGone = usePostView(session, (view) => view.isGone);
  const isRestored = usePostView(session, (view) => view.isRestored && view.isDirty);
  const failure = usePostView(session, (view) => (view.failure?.isUnreachable ? null : view.failure));
  const [isComparing, setIsComparing] = useState(false);

  const offerBack = (message: string, description: string, mine: PostValues) =>
    undoToast({ message, description, onUndo: () => session.replace(mine) });
  const takeTheirs = async () => {
    setIsComparing(false);
    const mine = session.takeTheirs();
    const isCopied = await copyText(mine.content);
    offerBack(
      'Showing the other version',
      isCopied ? 'Your text was copied to the clipboard.' : 'Undo brings your text back.',
      mine,
    );
  };
  const keepMine = () => {
    setIsComparing(false);
    void session.keepMine().then((isSaved) => isSaved && toast('Your version was saved'));
  };

  return (
    <>
      {isGone ? (
        <Notice
          tone="warning"
          actions={
            <Button variant="secondary" size="sm" onPress={() => void session.saveAsNew()}>
              Save as new draft
            </Button>
          }
        >
          This post was deleted elsewhere. You can still save your text as a new draft.
        </Notice>
      ) : conflict ? (
        <Notice
          tone="warning"
          actions={
            <>
              <Button variant="secondary" size="sm" onPress={() => setIsComparing(true)}>
                Compare versions
              </Button>
              <Button variant="secondary" size="sm" onPress={() => void takeTheirs()}>
                Use theirs
              </Button>
              <Button variant="secondary" size="sm" onPress={keepMine}>
                Keep mine
              </Button>
            </>
          }
        >
          This post was changed elsewhere since you opened it.
        </Notice>
      ) : isRestored ? (
        <Notice
          tone="info"
          actions={
            <Button
              variant="secondary"
              size="sm"
              onPress={() => offerBack('Changes discarded', 'Undo brings your changes back.', session.revert())}
            >
              Discard
            </Button>
          }
        >
          Your unsaved changes were restored.
        </Notice>
      ) : null}
      {failure && (
        <div className="border-b border-border px-4 py-2 sm:px-6">
          <FormError failure={failure} />
        </div>
      )}
      {conflict && isComparing && (
        <ConflictDialog
          session={session}
          theirs={conflict}
          onOpenChange={setIsComparing}
          onTakeTheirs={() => void takeTheirs()}
          onKeepMine={keepMine}
        />
      )}
    </>
  );
}
