import type { SnippetVariable } from '@/server/features/conversations/snippet-text';

/** The variables of snippets; `instead` is suggested for those that may have no value. */
export const variableLabels: Record<SnippetVariable, { label: string; instead: string | null }> = {
  'customer.firstName': { label: 'Customer’s first name', instead: 'there' },
  'customer.name': { label: 'Customer’s name', instead: 'there' },
  'customer.company': { label: 'Customer’s company', instead: 'your company' },
  'customer.email': { label: 'Customer’s email', instead: null },
  'sender.name': { label: 'Your name', instead: null },
  'business.name': { label: 'Name of your business', instead: null },
};
