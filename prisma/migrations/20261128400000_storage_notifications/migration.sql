-- Owners and admins are notified when the storage of their plan is nearly full.

-- AlterEnum
ALTER TYPE "notification_kind" ADD VALUE 'storage';
