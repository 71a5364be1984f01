import { importDays as importLimits } from '@/server/features/mailboxes/mailbox.limits';

/** What forms of mailboxes let people choose from. */

export const importChoices = [0, 7, importLimits.default, 90, 365, importLimits.maximum].map((days) => ({
  value: String(days),
  label:
    days === 0 ? 'None' : days === importLimits.maximum ? 'All' : days === 365 ? 'Of the last year' : `Of the last ${days} days`,
}));

export const readings = [
  { value: 'no', label: 'Read new email' },
  { value: 'yes', label: 'Paused' },
];

export const sendings = [
  { value: 'yes', label: 'Send by its own server' },
  { value: 'no', label: 'Don’t send from this address' },
];
