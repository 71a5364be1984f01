import { Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { copyText } from '@/app/_kit/copy-button';
import { FormError } from '@/app/_kit/form-error';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { type LineRun, lineDifferences } from './line-differences';
import type { PostSession } from './post-session';
import { changedFields, type PostField, type PostValues, valuesOf } from './post-values';
import { fieldLabels } from './save-labels';
import { usePostView } from './use-post-session';

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
      {conflict && (
        <ConflictDialog
          session={session}
          theirs={conflict}
          isOpen={isComparing}
          onOpenChange={setIsComparing}
          onTakeTheirs={() => void takeTheirs()}
          onKeepMine={keepMine}
        />
      )}
    </>
  );
}

interface ConflictDialogProps {
  session: PostSession;
  theirs: BlogPostRecord;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** The differences between two versions of a post, and the choice between them. */
function ConflictDialog({ session, theirs, isOpen, onOpenChange, onTakeTheirs, onKeepMine }: ConflictDialogProps) {
  const mine = usePostView(session, (view) => view.values);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      size="lg"
      title="Two versions of this post"
      description="Lines with − are only in theirs, lines with + only in yours. The version you keep replaces the other."
      footer={
        <>
          <Button variant="secondary" onPress={onTakeTheirs}>
            Use theirs
          </Button>
          <Button variant="secondary" onPress={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      {isOpen && <Differences theirs={valuesOf(theirs)} mine={mine} />}
    </Dialog>
  );
}

function written(values: PostValues, field: PostField): string {
  const value = values[field];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

function Differences({ theirs, mine }: { theirs: PostValues; mine: PostValues }) {
  const fields = changedFields(theirs, mine);
  return (
    <div className="flex flex-col gap-5">
      {fields.map((field) => (
        <div key={field}>
          <h3 className="mb-1.5 text-label font-semibold">{fieldLabels[field]}</h3>
          <Runs
            label={`Differences: ${fieldLabels[field]}`}
            runs={lineDifferences(written(theirs, field), written(mine, field))}
          />
        </div>
      ))}
    </div>
  );
}

/** Unchanged lines shown around a difference. */
const context = 2;

function around(lines: readonly string[]): readonly string[] {
  return lines.length <= context * 2 + 1 ? lines : [...lines.slice(0, context), '…', ...lines.slice(-context)];
}

const looks = {
  both: { sign: ' ', whose: '', className: 'text-muted' },
  theirs: { sign: '−', whose: 'Theirs: ', className: 'bg-danger-soft text-danger-text' },
  mine: { sign: '+', whose: 'Yours: ', className: 'bg-success-soft text-success-text' },
};

function Runs({ label, runs }: { label: string; runs: readonly LineRun[] }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md border border-border py-1 font-mono text-xs leading-5"
    >
      {runs.map(({ kind, lines }, index) => {
        const { sign, whose, className } = looks[kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs have no id, and are rendered as a whole.
          <div key={index} className={`px-2 whitespace-pre-wrap wrap-anywhere ${className}`}>
            {whose && <span className="sr-only">{whose}</span>}
            {(kind === 'both' ? around(lines) : lines).map((line, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <div key={number} className="flex gap-2">
                <span aria-hidden className="shrink-0 select-none">
                  {sign}
                </span>
                <span className="min-w-0">{line === '' ? ' ' : line}</span>
              </div>
            ))}
          </div>
        );
      })}
    </section>
  );
}
