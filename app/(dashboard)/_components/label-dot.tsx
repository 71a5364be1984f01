import type { LabelColor } from '@/server/features/conversations/label.limits';

const colors: Record<LabelColor, string> = {
  gray: 'bg-gray-400',
  red: 'bg-red-500',
  orange: 'bg-orange-500',
  yellow: 'bg-yellow-400',
  green: 'bg-green-500',
  teal: 'bg-teal-500',
  blue: 'bg-blue-500',
  purple: 'bg-purple-500',
};

/** The colour of a label; its name says the same. */
export function LabelDot({ color }: { color: LabelColor }) {
  return <span aria-hidden className={`size-2 shrink-0 rounded-full ${colors[color]}`} />;
}
