import { useCallback, useEffect, useRef, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { askForPasskey, hasPasskeyAutofill, isPasskeyCanceled, passkeyProblem } from '@/app/_kit/passkey-client';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { useTRPCClient } from '@/app/_trpc/client';
import type { PasskeyAnswer } from '@/server/features/accounts/passkey.schema';

function failureOf(error: unknown): FormFailure {
  const message = passkeyProblem(error);
  return message === null ? errorFacts(error) : { message, requestId: undefined };
}

/**
 * Asks for a passkey and hands its answer on.
 *
 * @param send signs in with the answer
 * @param fail shows why there is none; null at the beginning
 */
export function usePasskey(send: (answer: PasskeyAnswer) => Promise<void>, fail: (failure: FormFailure | null) => void) {
  const client = useTRPCClient();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    fail(null);
    setAsking(true);
    try {
      const options = await client.passkeys.beginSignIn.mutate({});
      await send(await askForPasskey(options));
    } catch (error) {
      // Who closes the prompt knows that they did.
      if (!isPasskeyCanceled(error)) fail(failureOf(error));
    } finally {
      setAsking(false);
    }
  };
  return { ask, isAsking };
}

/** Lets the browser offer passkeys in the email field, where it can. Call the result to offer them again. */
export function usePasskeyAutofill(isOffered: boolean, send: (answer: PasskeyAnswer) => Promise<void>): () => void {
  const client = useTRPCClient();
  const latest = useRef(send);
  latest.current = send;
  const offer = useCallback(async () => {
    try {
      if (!(await hasPasskeyAutofill())) return;
      const answer = await askForPasskey(await client.passkeys.beginSignIn.mutate({}), true);
      await latest.current(answer);
    } catch {
      // The form and the button work without it.
    }
  }, [client]);
  useEffect(() => {
    if (isOffered) void offer();
  }, [offer, isOffered]);
  return () => void offer();
}
