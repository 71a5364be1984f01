import { handleRest } from '@/server/platform/rest/web-adapter';

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export {
  handleRest as DELETE,
  handleRest as GET,
  handleRest as HEAD,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as POST,
  handleRest as PUT,
};
