import { RecordNotFound } from '@/app/_kit/record-not-found';

/** Stands where a post was deleted, belongs to another business or never existed. */
export function PostNotFound() {
  return <RecordNotFound what="post" list={{ href: '/posts', label: 'Blog' }} action="Show all posts" />;
}
