import { Button } from '@/app/_kit/button';
import { Dialog } from '@/app/_kit/overlay/dialog';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { type LineRun, lineDifferences } from './line-differences';
import type { PostSession } from './post-session';
import { changedFields, type PostField, type PostValues, valuesOf } from './post-values';
import { fieldLabels } from './save-labels';
import { usePostView } from './use-post-session';

interface ConflictDialogProps {
  session: PostSession;
  theirs: BlogPostRecord;
  onOpenChange: (isOpen: boolean) => void;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** The differences between two versions of a post, and the choice between them. */
export function ConflictDialog({ session, theirs, onOpenChange, onTakeTheirs, onKeepMine }: ConflictDialogProps) {
  const mine = usePostView(session, (view) => view.values);
  return (
    <Dialog
      isOpen
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
      <Differences theirs={valuesOf(theirs)} mine={mine} />
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
