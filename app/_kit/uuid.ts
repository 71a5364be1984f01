/** The pattern of an id. */
export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const whole = new RegExp(`^${uuid}$`, 'i');

/** Whether a text from the address can be an id; the API refuses anything else. */
export const isUuid = (text: string): boolean => whole.test(text);
