import { ButtonLink } from '../_components/button-link';
import { PageHeader } from '../_components/page-header';

/** For a record that was deleted or belongs to another business; the frame stays. */
export default function NotFound() {
  return (
    <>
      <PageHeader
        title="Not found"
        description="Nothing is at this address. It may have been deleted, or it belongs to another of your businesses."
      />
      <ButtonLink href="/">Go to Home</ButtonLink>
    </>
  );
}
