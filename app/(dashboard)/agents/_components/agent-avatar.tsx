import { initialsOf } from '@/app/_kit/initials';
import { RemoteImage } from '@/app/_kit/remote-image';
import { isPicture } from './agent-labels';

interface AgentAvatarProps {
  name: string;
  /** URL of the picture, '' for none. */
  url?: string;
  emoji?: string;
  size?: 'md' | 'lg';
  isDimmed?: boolean;
}

const sizes = { md: 'size-10 text-sm', lg: 'size-14 text-title max-sm:size-12' };
const emojiSizes = { md: 'text-title', lg: 'text-[1.75rem]' };

/**
 * An agent's picture; if it is missing or can't be loaded, its emoji, else its initials. The name is always shown beside it.
 */
export function AgentAvatar({ name, url = '', emoji = '', size = 'md', isDimmed = false }: AgentAvatarProps) {
  const ground = isDimmed ? 'bg-default text-muted' : 'bg-accent-soft text-accent-text';
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center overflow-hidden rounded-lg font-semibold select-none ${ground} ${sizes[size]}`}
    >
      <RemoteImage
        sources={isPicture(url) ? [url] : []}
        width={56}
        height={56}
        className={`size-full object-cover ${isDimmed ? 'grayscale' : ''}`}
        fallback={
          emoji.trim() === '' ? (
            initialsOf(name)
          ) : (
            <span className={`leading-none font-normal ${emojiSizes[size]}`}>{emoji.trim()}</span>
          )
        }
      />
    </span>
  );
}
