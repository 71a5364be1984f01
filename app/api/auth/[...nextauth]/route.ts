import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { nextAuthOptions } from '@/server/api/next-auth';

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** Sign-in, sign-out and session renewal. The options are read at each request, since the environment is only known then. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const cookies: string[] = [];
  const response: Response = await NextAuth(
    request,
    context,
    nextAuthOptions((cookie) => cookies.push(cookie)),
  );
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

export { handle as GET, handle as POST };
