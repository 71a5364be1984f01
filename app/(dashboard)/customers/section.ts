import { Users } from 'lucide-react';
import { callsOfRecords, matchesAt, type Section } from '../_components/section';

export const customersSection: Section = {
  entry: { href: '/customers', label: 'Customers', icon: Users, group: 'main', letter: 'u' },
  needs: [['/customers/new', 'customers:write']],
  creates: { meaning: 'New customer', href: '/customers/new', on: '/customers', needs: 'customers:write' },
  records: {
    customer: {
      ...{ label: 'Customers', icon: Users, unnamed: 'Customer' },
      href: (id) => `/customers/${id}`,
      listHref: matchesAt('/customers'),
    },
  },
  calls: [
    { path: '/customers/new', selection: { operations: ['customers-create', 'customers-byContact'] } },
    ...callsOfRecords('/customers', 'Customers', 'id'),
  ],
};
