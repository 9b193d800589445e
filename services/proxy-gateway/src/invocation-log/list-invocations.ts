import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { identifyCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { respondJson } from '../http/respond.ts';
import { isUuid } from '../http/uuid.ts';
import { readReactorId } from '../reactors/read-reactor-id.ts';
import type { RunnerClient } from '../runner/runner-client.ts';

export interface InvocationsRoute {
  readonly registry: PublishedRecords;
  readonly runner: RunnerClient;
}

/** `GET /proxies/{id}/invocations`: what a proxy's code logged and how it failed. The runner judges the caller. */
export async function listProxyInvocations(
  exchange: Exchange,
  route: InvocationsRoute,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('not_found', 'There is no proxy with this id.');
  const proxyId = id.toLowerCase();
  exchange.notes.proxyId = proxyId;
  return list(exchange, route, { $case: 'proxyId', value: proxyId });
}

/** `GET /reactors/{id}/invocations`. */
export async function listReactorInvocations(
  exchange: Exchange,
  route: InvocationsRoute,
  id: string,
): Promise<void> {
  const reactorId = readReactorId(id);
  exchange.notes.reactorId = reactorId;
  return list(exchange, route, { $case: 'reactorId', value: reactorId });
}

type Owner = Parameters<RunnerClient['listInvocations']>[1]['owner'];

async function list(exchange: Exchange, { registry, runner }: InvocationsRoute, owner: Owner): Promise<void> {
  const { principal, apiKey } = await identifyCaller(exchange, registry);
  exchange.notes.tenantId = principal.tenantId;
  exchange.notes.applicationId = principal.applicationId;
  const size = readSize(exchange);
  const invocations = await runner.listInvocations(exchange, { owner, apiKey, size });
  respondJson(exchange, 200, Buffer.concat([head, invocations, tail]));
}

const head = Buffer.from('{"data":');
const tail = Buffer.from('}');

const defaultSize = 20;

/**
 * As pages of management resources have it: 0 means the default, as absence does
 * (contract/conventions.md#pagination).
 */
function readSize({ target, bounds: { pageSize } }: Exchange): number {
  const texts = new URLSearchParams(target.query).getAll('size');
  const size = Number(texts[0] ?? '0');
  if (texts.length > 1 || !/^\d{0,10}$/.test(texts[0] ?? '') || size > pageSize) {
    throw validationError({ size: [`must be an integer from 0 to ${pageSize}`] });
  }
  return size === 0 ? Math.min(defaultSize, pageSize) : size;
}
