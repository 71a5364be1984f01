import { initialsOf } from './initials';

const sizes = { xs: 'size-6 text-[0.625rem]', sm: 'size-7 text-xs', md: 'size-10 text-sm', lg: 'size-16 text-title' };

interface PersonAvatarProps {
  name: string;
  /** Of a photo on this installation; null for none. */
  photoUrl?: string | null;
  size?: keyof typeof sizes;
  isOwn?: boolean;
}

/** A photo, or initials without one; the name is always shown beside it. */
export function PersonAvatar({ name, photoUrl = null, size = 'sm', isOwn = false }: PersonAvatarProps) {
  return (
    <span
      aria-hidden
      className={`relative flex shrink-0 items-center justify-center overflow-hidden rounded-full font-medium select-none ${sizes[size]} ${
        isOwn ? 'bg-accent-soft text-accent-text' : 'bg-default text-foreground'
      }`}
    >
      {initialsOf(name)}
      {/* Above the initials, which stay in view while it loads, and if it can't be loaded. */}
      {photoUrl !== null && (
        <span className="absolute inset-0 bg-cover bg-center" style={{ backgroundImage: `url("${photoUrl}")` }} />
      )}
    </span>
  );
}
