import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ProxyRecord } from '@glovebox/published/records';

import { type Caller, identifyCaller } from '../../authentication/authenticate.ts';
import { requireUse } from '../../authentication/require-use.ts';
import type { Exchange } from '../../http/exchange.ts';

export interface EphemeralRoute {
  readonly registry: Pick<PublishedRecords, 'applicationByKeyHash' | 'tenantById'>;
  readonly egressPolicy: EgressPolicy;
  /** The operator allows them. */
  readonly ephemeralProxies: boolean;
}

/**
 * A proxy that stands in the request (contract/proxies.md#ephemeral-proxies): a destination, judged as that of any
 * other proxy is, and nothing else. Its caller is never anonymous.
 * @throws AppError `unauthenticated`, `permission_denied` without token:use or where such proxies are turned off,
 * `invalid_argument` for what is no destination
 */
export async function ephemeralProxy(
  exchange: Exchange,
  url: string,
  route: EphemeralRoute,
): Promise<{ readonly proxy: ProxyRecord; readonly caller: Caller }> {
  const caller = await identifyCaller(exchange, route.registry);
  const { tenantId, applicationId } = caller.principal;
  exchange.notes.tenantId = tenantId;
  exchange.notes.applicationId = applicationId;
  requireUse(caller.principal);
  await requireAllowed(tenantId, route);
  const destination = parseDestination(url, route.egressPolicy);
  if (!destination.ok) {
    const problem = destinationRefusalText(destination.reason, route.egressPolicy);
    throw new AppError('invalid_argument', `The header SVC-PROXY-URL ${problem}.`, {
      title: 'Invalid proxy request',
    });
  }
  return { proxy: { ...bare, tenantId, destinationUrl: destination.url.href }, caller };
}

const bare: Omit<ProxyRecord, 'tenantId' | 'destinationUrl'> = {
  id: '',
  version: 0,
  name: '',
  requireAuth: true,
  applicationId: '',
  requestTransformCode: '',
  responseTransformCode: '',
  sealedConfiguration: {},
  disableDetokenization: false,
  timeoutSeconds: 0,
  requestTransforms: [],
  responseTransforms: [],
};

/** A tenant of which nothing is known has allowed nothing. */
async function requireAllowed(
  tenantId: string,
  { registry, ephemeralProxies }: EphemeralRoute,
): Promise<void> {
  const tenant = ephemeralProxies ? await registry.tenantById(tenantId) : undefined;
  if (tenant !== undefined && tenant.settings['disable_ephemeral_proxy'] !== 'true') return;
  throw new AppError(
    'permission_denied',
    'Proxies by the header SVC-PROXY-URL are turned off; use one with a key.',
  );
}
