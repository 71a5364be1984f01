import { CustomerNotFound } from '../_components/customer-not-found';

export default function NotFound() {
  return <CustomerNotFound />;
}
