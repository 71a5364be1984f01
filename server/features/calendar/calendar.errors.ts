import { type ErrorArea, isAboutCaller, usualKeys } from '@/server/platform/http/error-body';

/** Source: specification, "Errors". */
export const calendarErrors: ErrorArea = {
  path: '/calendar',
  keysOf: (error) => {
    if (error.status === 401) return undefined;
    return { success: false, ...(isAboutCaller(error) ? usualKeys(error) : { error: error.message }) };
  },
};
