import * as z from 'zod';

export const previousValuesInput = z.object({
  /** An entry of the audit log. */
  entryId: z.string().regex(/^\d{1,18}$/),
});

/** Kinds of records whose values can be restored, each by the operation that changes it. */
export const restorableKinds = ['customer', 'event', 'post', 'agent', 'identity'] as const;
export type RestorableKind = (typeof restorableKinds)[number];

export const previousValuesSchema = z.object({
  /** Null if the values before the change are not known in full: it is too long ago, or the record too large. */
  change: z
    .object({
      kind: z.enum(restorableKinds),
      id: z.string(),
      /** For If-Match: the record as the values below compare with it. */
      revision: z.int(),
      /** What a restoring request contains in any case. */
      constant: z.record(z.string(), z.unknown()),
      values: z.array(
        z.object({
          /** Where the value is in the request: `['persona', 'tone']`. */
          path: z.array(z.string()),
          /** The value before the change; null if there was none. */
          previous: z.json(),
          current: z.json(),
          /** True if it was changed again after this change. */
          isChangedSince: z.boolean(),
        }),
      ),
    })
    .nullable(),
});
export type PreviousValues = z.output<typeof previousValuesSchema>;
