'use client';

import Image from 'next/image';
import { useState } from 'react';
import { initialsOf, isPicture } from './agent-labels';

interface AgentAvatarProps {
  name: string;
  /** The picture's address, '' for none. */
  url?: string;
  emoji?: string;
  size?: 'md' | 'lg';
  isDimmed?: boolean;
}

const sizes = { md: 'size-10 text-sm', lg: 'size-14 text-title max-sm:size-12' };
const emojiSizes = { md: 'text-title', lg: 'text-[1.75rem]' };

/** An agent's picture; without one, or where it can't be loaded, its emoji; else its initials. The name always stands beside it. */
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
          // Anybody's server may hold it, so it can't pass through ours.
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
