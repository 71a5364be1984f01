'use client';

import { ExternalLink, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { useBlogOverview } from './use-blog-overview';

// Its form is loaded when it is opened.
const BlogSettingsDialog = onDemandComponent(() => import('./blog-settings-dialog').then((module) => module.BlogSettingsDialog));

/** Links to the public blog and opens its settings. */
export function BlogActions() {
  const siteUrl = useBlogOverview()?.siteUrl;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {siteUrl && (
        <ButtonLink href={siteUrl} target="_blank" prefetch={false}>
          <ExternalLink aria-hidden />
          View blog
          <span className="sr-only"> (opens in a new tab)</span>
        </ButtonLink>
      )}
      <Button variant="secondary" needs="blog:write" onPress={() => setIsOpen(true)}>
        <Settings2 aria-hidden />
        Blog settings
      </Button>
      {isOpen && <BlogSettingsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
