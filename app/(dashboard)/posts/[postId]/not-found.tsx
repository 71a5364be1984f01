import { PostNotFound } from '../_components/editor/post-not-found';

export default function NotFound() {
  return <PostNotFound />;
}
