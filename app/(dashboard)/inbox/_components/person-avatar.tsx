import { initialsOf } from '@/app/(dashboard)/agents/_components/agent-labels';

const sizes = { sm: 'size-7 text-xs', md: 'size-10 text-sm' };

/** Initials in place of a picture; the name is always shown beside it. */
export function PersonAvatar({ name, size = 'sm', isOwn = false }: { name: string; size?: keyof typeof sizes; isOwn?: boolean }) {
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-full font-medium select-none ${sizes[size]} ${
        isOwn ? 'bg-accent-soft text-accent-text' : 'bg-default text-foreground'
      }`}
    >
      {initialsOf(name)}
    </span>
  );
}
