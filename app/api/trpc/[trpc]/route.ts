import { handleTrpc } from '@/server/api/trpc-endpoint';

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handleTrpc as GET, handleTrpc as POST };
