import { CircleAlert } from 'lucide-react';
import type { FormFailure } from './use-form-errors';

/** The error of a form that could not be saved, above its buttons. */
export function FormError({ failure }: { failure: FormFailure | null }) {
  if (!failure) return null;
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>{failure.message}</p>
        {failure.requestId && (
          <p className="text-xs">
            Request <code className="font-mono">{failure.requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}
