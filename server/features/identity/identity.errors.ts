import { AppError } from '@/server/platform/errors';
import type { ErrorArea } from '@/server/platform/http/error-body';

/** Source: specification, "Errors". */
export const identityErrors: ErrorArea = {
  path: '/identity',
  exact: true,
  noObject: 'invalid_body',
  documented: {
    400: {
      name: 'IdentityInvalidRequest',
      description: 'The body is not a JSON object, or a field is invalid.',
      example: new AppError('invalid_body', 'Request body must be a JSON object'),
    },
    404: {
      name: 'IdentityNotFound',
      description: 'The identity of this key no longer exists.',
      example: new AppError('identity_not_found', 'The identity no longer exists.'),
    },
  },
};
