import { readSession } from '@/server/platform/auth/session';
import { AppError, notFound } from '@/server/platform/errors';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { apiSecurityHeaders } from '@/server/platform/http/security-headers';
import { findPhoto, photosPrefix } from './profile.service';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `/api/photos/{photoId}`: photos of people, for those who share a business with them. Sessions only. */
export const photosRoute: HttpRoute = {
  prefix: photosPrefix,
  methods: 'GET, HEAD',
  async answer({ pathname, headers }) {
    const id = pathname.slice(photosPrefix.length + 1);
    if (!uuidPattern.test(id)) throw notFound();
    const actor = await readSession(headers.get('cookie'));
    if (!actor) throw new AppError('signed_out', 'Sign in to go on.');
    const photo = await findPhoto(actor, id);
    if (!photo) throw notFound();
    return {
      status: 200,
      headers: {
        ...apiSecurityHeaders(),
        'Content-Type': 'image/webp',
        // Only in this browser. Another photo has another URL.
        'Cache-Control': 'private, max-age=86400, immutable',
        Vary: 'Cookie',
      },
      body: photo,
    };
  },
};
