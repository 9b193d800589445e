import { lookup } from 'node:dns/promises';

import { EgressConnectFailed } from './egress-errors.ts';

/** Every address of a name, in order of preference; rejects when there is none. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver, hosts file included, in the order in which it answers. */
export const systemResolver: ResolveAddresses = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/**
 * Resolves within a time limit.
 *
 * @param timeoutMs after which the answer is no longer waited for; the system's resolver cannot be cancelled.
 * @throws EgressConnectFailed with stage `dns`: on failure, on time-out, and when there is no address.
 */
export async function resolveWithin(
  resolve: ResolveAddresses,
  hostname: string,
  timeoutMs: number,
): Promise<readonly string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const addresses = await Promise.race([resolve(hostname), late]);
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  } catch (cause) {
    throw new EgressConnectFailed('dns', hostname, cause);
  } finally {
    clearTimeout(timer);
  }
}
