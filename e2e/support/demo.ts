import { type APIRequestContext, expect } from '@playwright/test';
import { kill as killProcess } from '@/server/testing/child-process';
import type { Installation } from './installation';

/** Helpers for tests with their own demo. */

/** `kill -9`. */
export function kill({ process: child }: Installation): Promise<void> {
  return killProcess(child);
}

/** The API key that the demo printed. */
export async function keyOf(installation: Installation): Promise<string> {
  await expect.poll(() => installation.output()).toMatch(/Bearer sk_live_\w+'/);
  return /Bearer (sk_live_\w+)/.exec(installation.output())?.[1] ?? '';
}

/** A REST API client with the demo's key. */
export function clientOf(request: APIRequestContext, { baseUrl }: Installation, key: string) {
  const headers = { Authorization: `Bearer ${key}` };
  return {
    get: async (path: string) => (await request.get(`${baseUrl}/api/v1${path}`, { headers })).json(),
    post: async (path: string, data: object) => (await request.post(`${baseUrl}/api/v1${path}`, { headers, data })).json(),
  };
}
