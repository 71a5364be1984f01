import { v7 } from 'uuid';
import type { SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { invalidFields } from '@/server/platform/errors';
import { canonicalZone } from '@/server/platform/ical/zone-names';
import type { SetPhotoInput, UpdateProfileInput } from './profile.schema';

/** What people say about themselves: name, photo, time zone and language of emails. */

/** The path below which photos are served. */
export const photosPrefix = '/api/photos';

/** The URL of a person's photo on this installation; null for none. */
export function photoUrlOf({ photoId }: { photoId: string | null }): string | null {
  return photoId && `${photosPrefix}/${photoId}`;
}

/** @throws AppError invalid_request for a zone that is not known */
function knownZone(name: string): string {
  const zone = canonicalZone(name);
  if (zone === undefined) throw invalidFields({ timeZone: 'must be an IANA time zone, such as Europe/Berlin' });
  return zone;
}

/** Changes what is given of the signed-in person's profile. @throws AppError invalid_request for an unknown time zone */
export async function updateProfile(actor: SessionActor, input: UpdateProfileInput): Promise<void> {
  const { displayName, timeZone, language, undoSeconds, emailFormat } = input;
  const data = {
    ...(displayName === undefined ? {} : { displayName: displayName.trim() }),
    ...(timeZone === undefined ? {} : { timeZone: timeZone === null ? null : knownZone(timeZone) }),
    ...(language === undefined ? {} : { language }),
    ...(undoSeconds === undefined ? {} : { undoSeconds }),
    ...(emailFormat === undefined ? {} : { emailFormat }),
  };
  await prismaTransaction(actor, async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data });
  });
}

async function square(bytes: Uint8Array, userId: string): Promise<Buffer> {
  // Loaded with the first photo: its libraries take 30 MB.
  const { prepareSquare } = await import('@/server/platform/images/square-image');
  const { UnusableImage } = await import('@/server/platform/images/prepare-upload');
  try {
    return await prepareSquare(bytes, userId);
  } catch (error) {
    if (error instanceof UnusableImage) throw invalidFields({ content: error.message });
    throw error;
  }
}

/**
 * Sets or replaces the photo of the signed-in person. It is re-encoded from its pixels; the upload itself is discarded.
 *
 * @throws AppError invalid_request for anything but a JPEG, PNG or WebP image, or one that is too large
 */
export async function setPhoto(actor: SessionActor, { content }: SetPhotoInput): Promise<void> {
  const { userId } = actor;
  const photo = { id: v7(), content: Uint8Array.from(await square(Buffer.from(content, 'base64'), userId)) };
  await prismaTransaction(
    actor,
    async (tx) => {
      // First, so that simultaneous changes wait for each other at this row.
      await tx.user.update({ where: { id: userId }, data: { photoId: photo.id } });
      await tx.userPhoto.upsert({ where: { userId }, create: { userId, ...photo }, update: photo });
    },
    { withoutRowSecurity: true },
  );
}

/** Removes the photo of the signed-in person; does nothing without one. */
export async function removePhoto(actor: SessionActor): Promise<void> {
  const { userId } = actor;
  await prismaTransaction(
    actor,
    async (tx) => {
      await tx.user.updateMany({ where: { id: userId, photoId: { not: null } }, data: { photoId: null } });
      await tx.userPhoto.deleteMany({ where: { userId } });
    },
    { withoutRowSecurity: true },
  );
}

/** The photo of this person, or of a member of a business that they share; null for others, and for one that was replaced. */
export async function findPhoto({ userId }: SessionActor, photoId: string): Promise<Buffer | null> {
  const [photo] = await rows<{ content: Buffer }>(pool(), {
    name: 'photo',
    text: `SELECT p.content FROM user_photos p WHERE p.id = $1 AND (p.user_id = $2 OR EXISTS (
        SELECT 1 FROM memberships own
        JOIN memberships other ON other.identity_id = own.identity_id AND other.user_id = p.user_id
        JOIN identities i ON i.id = own.identity_id AND i.erased_at IS NULL
        WHERE own.user_id = $2
      ))`,
    values: [photoId, userId],
  });
  return photo?.content ?? null;
}
