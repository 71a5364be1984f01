'use client';

import { Button } from '@heroui/react/button';
import { Dropdown } from '@heroui/react/dropdown';
import { Label } from '@heroui/react/label';
import { Separator } from '@heroui/react/separator';
import { Ellipsis } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/app/_components/confirm-dialog';
import { copyText } from '@/app/_components/copy-button';
import { useListHref } from '@/app/_components/list-memory';
import { undoToast } from '@/app/_components/undo-toast';
import type { BlogPostRecord } from '@/server/modules/blog/blog-post.schema';
import { DeletePostDialog } from '../delete-post-dialog';
import { movesOf, type PostMove, wayBack } from '../post-moves';
import { moveLabel, unpublishQuestion } from '../post-words';
import { usePostMoves } from '../use-post-moves';
import type { PostSession } from './post-session';
import { usePostView } from './use-post-view';

/** What can be done with a post besides writing it. */
export function EditorMenu({ session, post }: { session: PostSession; post: BlogPostRecord }) {
  const router = useRouter();
  const listHref = useListHref('/posts');
  const { move } = usePostMoves({ ...post, editedAt: post.updatedAt });
  const isDirty = usePostView(session, (view) => view.isDirty);
  const [asking, setAsking] = useState<'unpublish' | 'delete' | null>(null);
  const question = unpublishQuestion(post);
  const { url } = post;
  // Publishing is the page's own button.
  const moves = movesOf(post).filter((step) => step !== 'publish');

  const copyAddress = async (address: string) => {
    if (await copyText(address)) toast('Address copied', { description: address });
    else toast.error('Copying is not allowed here. Select the text and copy it yourself.');
  };
  const discard = () => {
    const mine = session.revert();
    undoToast({ message: 'Changes discarded', onUndo: () => session.replace(mine) });
  };
  const act = (action: unknown) => {
    if (action === 'delete') setAsking('delete');
    else if (action === 'copy') void copyAddress(url ?? '');
    else if (action === 'discard') discard();
    else if (action === 'unpublish' && wayBack(post, 'unpublish') === null) setAsking('unpublish');
    else if (action !== 'view') move(action as PostMove);
  };

  return (
    <>
      <Dropdown>
        <Button variant="ghost" isIconOnly aria-label="More actions">
          <Ellipsis aria-hidden />
        </Button>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label="More actions" onAction={act}>
            {url !== null && (
              <Dropdown.Item id="view" textValue="View on the blog" href={url} target="_blank">
                <Label>View on the blog</Label>
                <span className="sr-only"> (opens in a new tab)</span>
              </Dropdown.Item>
            )}
            {url !== null && (
              <Dropdown.Item id="copy" textValue="Copy address">
                <Label>Copy address</Label>
              </Dropdown.Item>
            )}
            {url !== null && <Separator className="my-1" />}
            {isDirty && post.status === 'published' && (
              <Dropdown.Item id="discard" textValue="Discard changes">
                <Label>Discard changes</Label>
              </Dropdown.Item>
            )}
            {moves.map((step) => (
              <Dropdown.Item key={step} id={step} textValue={moveLabel(post, step)}>
                <Label>{moveLabel(post, step)}</Label>
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="delete" textValue="Delete…" variant="danger">
              <Label>Delete…</Label>
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
        onDeleted={() => {
          session.end();
          router.push(listHref);
        }}
      />
    </>
  );
}
