import type { ShownLabel } from '@/server/features/conversations/label.schema';
import { LabelDot } from '../../_components/label-dot';

interface LabelChipsProps {
  labels: readonly ShownLabel[];
  /** How many are shown; of further ones, only the number. */
  maximum?: number;
}

/** The labels of a conversation. */
export function LabelChips({ labels, maximum = labels.length }: LabelChipsProps) {
  const hidden = labels.length - maximum;
  return (
    <>
      {labels.slice(0, maximum).map(({ id, name, color }) => (
        <span
          key={id}
          title={name}
          className="inline-flex h-5 max-w-28 min-w-0 items-center gap-1 rounded-sm bg-default px-1.5 text-xs text-muted"
        >
          <LabelDot color={color} />
          <span className="truncate">{name}</span>
        </span>
      ))}
      {hidden > 0 && <span className="text-xs text-muted">+{hidden}</span>}
    </>
  );
}
