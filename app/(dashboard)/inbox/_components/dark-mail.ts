/** The class that turns a mail's page dark; `darkMailClass` of server/platform/mail/html-view.ts, which no page of the dashboard loads. */
export const darkMailClass = 'frontdesk-dark';
