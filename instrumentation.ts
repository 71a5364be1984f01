import type { Instrumentation } from 'next';

/** Next.js calls this where a page or route failed on the server. */
export const onRequestError: Instrumentation.onRequestError = async (error) => {
  // `npm run dev` compiles this file for the edge runtime too, which has no Node.js modules.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { recordPageFailure } = await import('@/server/platform/http/page-request');
  recordPageFailure(error);
};
