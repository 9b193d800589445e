import type { PublicKeys } from './public-keys.ts';
import { signText, verifyText } from './signed-text.ts';
import type { SigningKeyProvider } from './signing-key.ts';

/** Lets code that is tried, and belongs to no proxy or reactor, act as an application of a tenant for a moment. */
export interface Trial {
  readonly tenantId: string;
  readonly applicationId: string;
}

/** @param endsAt milliseconds since the epoch */
export function signTrial(
  provider: SigningKeyProvider,
  { tenantId, applicationId }: Trial,
  endsAt: number,
): Promise<string> {
  return signText(provider, 'trial', applicationId, `${tenantId} ${endsAt}`);
}

/** The tenant of a trial; undefined unless control-api has signed it for this application, and it has not ended. */
export async function tenantOfTrial(
  keys: PublicKeys,
  applicationId: string,
  trial: string,
  now = Date.now(),
): Promise<string | undefined> {
  const text = await verifyText(keys, 'trial', applicationId, trial);
  const [tenantId, endsAt] = text?.split(' ') ?? [];
  return Number(endsAt) > now ? tenantId : undefined;
}
