import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { type ProxyRecord, emptyProxy } from '@glovebox/published/records';

import {
  type AuthenticatedCaller,
  authenticateCaller,
  requireTokenUse,
} from '../../authentication/authenticate.ts';
import type { Exchange } from '../../http/exchange.ts';

export interface EphemeralProxyDependencies {
  readonly published: Pick<PublishedRecords, 'applicationByKeyHash' | 'tenantById'>;
  readonly egressPolicy: EgressPolicy;
  /** The operator allows them. */
  readonly ephemeralProxies: boolean;
}

/**
 * A proxy that the request itself describes (contract/proxies.md#ephemeral-proxies): only a destination, by the same
 * rules as that of any other proxy. Its caller is never anonymous.
 * @throws AppError `unauthenticated`, `permission_denied` without token:use or where such proxies are turned off,
 * `invalid_argument` for an invalid destination
 */
export async function ephemeralProxy(
  exchange: Exchange,
  url: string,
  dependencies: EphemeralProxyDependencies,
): Promise<{ readonly proxy: ProxyRecord; readonly caller: AuthenticatedCaller }> {
  const { egressPolicy } = dependencies;
  const caller = await authenticateCaller(exchange, dependencies.published);
  const { tenantId } = caller.principal;
  requireTokenUse(caller.principal);
  await requireAllowed(tenantId, dependencies);
  const destination = parseDestination(url, egressPolicy);
  if (!destination.ok) {
    const problem = destinationRefusalText(destination.reason, egressPolicy);
    throw new AppError('invalid_argument', `The header SVC-PROXY-URL ${problem}.`, {
      title: 'Invalid proxy request',
    });
  }
  return {
    proxy: { ...emptyProxy, version: 0, tenantId, destinationUrl: destination.url.href, requireAuth: true },
    caller,
  };
}

/** A tenant without a record has allowed nothing. */
async function requireAllowed(
  tenantId: string,
  { published, ephemeralProxies }: EphemeralProxyDependencies,
): Promise<void> {
  const tenant = ephemeralProxies ? await published.tenantById(tenantId) : undefined;
  if (tenant !== undefined && tenant.settings['disable_ephemeral_proxy'] !== 'true') return;
  throw new AppError(
    'permission_denied',
    'Proxies by the header SVC-PROXY-URL are turned off; use one with a key.',
  );
}
