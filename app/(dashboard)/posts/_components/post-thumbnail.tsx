'use client';

import { Image as ImageIcon } from 'lucide-react';
import Image from 'next/image';
import { useState } from 'react';
import { pictureSources } from './post-words';

/** A post's cover, small; a quiet place for one where there is none or none can be had. Decoration: the title stands beside it. */
export function PostThumbnail({ url }: { url: string }) {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const source = pictureSources(url).find((candidate) => !failed.includes(candidate));
  return (
    // On a phone it stands beside both lines of the row.
    <span
      aria-hidden
      className="flex h-8 w-11 shrink-0 items-center justify-center overflow-hidden rounded-sm border border-border bg-background-secondary text-muted max-md:absolute max-md:top-1/2 max-md:left-4 max-md:h-11 max-md:-translate-y-1/2"
    >
      {source ? (
        <Image
          // Anybody's server may hold it, so it can't pass through ours.
          unoptimized
          src={source}
          alt=""
          width={44}
          height={44}
          referrerPolicy="no-referrer"
          onError={() => setFailed((before) => [...before, source])}
          className="size-full object-cover"
        />
      ) : (
        <ImageIcon className="size-4 opacity-60" strokeWidth={1.5} />
      )}
    </span>
  );
}
