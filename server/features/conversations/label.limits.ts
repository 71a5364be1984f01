/** Labels of a business: all are answered together. */
export const labelsMaximum = 100;

/** Labels of a conversation. */
export const conversationLabelsMaximum = 20;

export const labelColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;

export type LabelColor = (typeof labelColors)[number];
