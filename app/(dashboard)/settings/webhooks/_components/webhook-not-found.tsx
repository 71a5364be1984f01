import { FileX } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { EmptyState } from '@/app/_kit/empty-state';
import { Surface } from '@/app/_kit/surface';

/** Shown if a webhook was deleted or never existed. */
export function WebhookNotFound() {
  return (
    <Surface>
      <EmptyState
        icon={FileX}
        title="This webhook doesn’t exist"
        description="It may have been deleted, or it belongs to another of your businesses."
        action={
          <ButtonLink href="/settings/webhooks" variant="primary">
            Show all webhooks
          </ButtonLink>
        }
      />
    </Surface>
  );
}
