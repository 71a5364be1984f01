import Image from 'next/image';
import { type ReactNode, useState } from 'react';

interface RemoteImageProps {
  /** Its possible URLs, the best first. */
  sources: readonly string[];
  alt?: string;
  width: number;
  height: number;
  className: string;
  /** Shown if none can be loaded. */
  fallback: ReactNode;
}

/** A picture on any server, which can't be proxied through ours. */
export function RemoteImage({ sources, alt = '', width, height, className, fallback }: RemoteImageProps) {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const source = sources.find((candidate) => !failed.includes(candidate));
  if (source === undefined) return fallback;
  return (
    <Image
      unoptimized
      src={source}
      alt={alt}
      width={width}
      height={height}
      referrerPolicy="no-referrer"
      onError={() => setFailed((before) => [...before, source])}
      className={className}
    />
  );
}
