import { createSetupToken } from './features/accounts/setup.service';
import { runProcess } from './process';

/** `npm start` and `npm run dev`: the production server. */
runProcess({
  announce: async (url) => {
    const token = await createSetupToken();
    const ready = `Frontdesk is ready at ${url}`;
    return token
      ? [ready, `No account exists yet. Set up Frontdesk with this link, which works once: ${url}/setup?token=${token}`]
      : [ready];
  },
});
