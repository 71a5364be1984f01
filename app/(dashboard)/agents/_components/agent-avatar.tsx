'use client';

import Image from 'next/image';
import { useState } from 'react';
import { initialsOf, isPicture } from './agent-labels';

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
  const [failedUrl, setFailedUrl] = useState('');
  const ground = isDimmed ? 'bg-default text-muted' : 'bg-accent-soft text-accent-text';
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center overflow-hidden rounded-lg font-semibold select-none ${ground} ${sizes[size]}`}
    >
      {isPicture(url) && url !== failedUrl ? (
        <Image
          // The picture can be on any server, so it can't be proxied through ours.
          unoptimized
          src={url}
          alt=""
          width={56}
          height={56}
          referrerPolicy="no-referrer"
          onError={() => setFailedUrl(url)}
          className={`size-full object-cover ${isDimmed ? 'grayscale' : ''}`}
        />
      ) : emoji.trim() !== '' ? (
        <span className={`leading-none font-normal ${emojiSizes[size]}`}>{emoji.trim()}</span>
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}
