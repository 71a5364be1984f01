/** Senders that a business can block. */
export const blockedSendersMaximum = 1_000;
