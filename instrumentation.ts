import type { Instrumentation } from 'next';

/** Next.js calls this where a page or route failed on the server. */
export const onRequestError: Instrumentation.onRequestError = async (error) => {
  const { notePageFailure } = await import('@/server/api/page-request');
  notePageFailure(error);
};
