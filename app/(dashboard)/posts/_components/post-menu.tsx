'use client';

import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { copyText } from '@/app/_kit/copy-button';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { toast } from '@/app/_kit/toast';
import type { BlogPostItem } from '@/server/features/blog/blog-post.schema';
import { DeletePostDialog } from './delete-post-dialog';
import { moveLabel, unpublishQuestion } from './post-labels';
import { movesOf, type PostMove, wayBack } from './post-moves';
import { usePostMoves } from './use-post-moves';

interface PostMenuProps {
  post: BlogPostItem;
  /** What the menu is called. */
  name: string;
  /** All that a post of this status can do, unless some have a place of their own. */
  moves?: readonly PostMove[];
  /** One more thing to do. */
  extra?: { label: string; onAction: () => void } | null;
  onDeleted?: () => void;
  /** True in a row of a list, where it stands above the link that spans the row. */
  isInRow?: boolean;
}

/** What can be done with a post besides writing it. */
export function PostMenu({ post, name, moves = movesOf(post), extra, onDeleted, isInRow = false }: PostMenuProps) {
  const { move } = usePostMoves(post);
  const [asking, setAsking] = useState<'unpublish' | 'delete' | null>(null);
  const { url } = post;
  const question = unpublishQuestion(post);

  const copyAddress = async (address: string) => {
    if (await copyText(address)) toast('Address copied', { description: address });
    else toast.error('Copying is not allowed here. Select the text and copy it yourself.');
  };
  const act = (action: unknown) => {
    if (action === 'delete') setAsking('delete');
    else if (action === 'copy') void copyAddress(url ?? '');
    else if (action === 'extra') extra?.onAction();
    else if (action === 'unpublish' && wayBack(post, 'unpublish') === null) setAsking('unpublish');
    else if (action !== 'view') move(action as PostMove);
  };

  return (
    <>
      <Dropdown>
        <IconButton size="md" label={name} {...(isInRow ? { size: 'sm', className: 'relative z-1 text-muted' } : {})}>
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label={name} onAction={act}>
            {url !== null && (
              <Dropdown.Item id="view" textValue="View on the blog" href={url} target="_blank">
                <Dropdown.Label>View on the blog</Dropdown.Label>
                <span className="sr-only"> (opens in a new tab)</span>
              </Dropdown.Item>
            )}
            {url !== null && (
              <Dropdown.Item id="copy" textValue="Copy address">
                <Dropdown.Label>Copy address</Dropdown.Label>
              </Dropdown.Item>
            )}
            {url !== null && <Dropdown.Separator className="my-1" />}
            {extra && (
              <Dropdown.Item id="extra" textValue={extra.label}>
                <Dropdown.Label>{extra.label}</Dropdown.Label>
              </Dropdown.Item>
            )}
            {moves.map((step) => (
              <Dropdown.Item key={step} id={step} textValue={moveLabel(post, step)}>
                <Dropdown.Label>{moveLabel(post, step)}</Dropdown.Label>
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="delete" textValue="Delete…" variant="danger">
              <Dropdown.Label>Delete…</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      <ConfirmDialog
        isOpen={asking === 'unpublish'}
        onOpenChange={() => setAsking(null)}
        title={question.title}
        description={question.consequence}
        confirmLabel={question.confirm}
        onConfirm={() => {
          setAsking(null);
          move('unpublish');
        }}
      />
      <DeletePostDialog
        post={post}
        isOpen={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        {...(onDeleted ? { onDeleted } : {})}
      />
    </>
  );
}
