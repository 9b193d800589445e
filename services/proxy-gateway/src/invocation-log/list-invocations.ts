import { validationError } from '@glovebox/platform/errors/app-error';
import type { PublishedLookups } from '@glovebox/published/published-lookups';

import { authenticateCaller } from '../authentication/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { respondJson } from '../http/respond.ts';
import type { Handler } from '../http/router.ts';
import { readReactorId, readUuid } from '../http/uuid.ts';
import type { RunnerClient } from '../runner/runner-client.ts';

export interface InvocationLogDependencies {
  readonly published: PublishedLookups;
  readonly runner: RunnerClient;
}

/** `GET /proxies/{id}/invocations`: the logs and errors of a proxy's code. The runner authorizes the caller. */
export const listProxyInvocations: Handler<InvocationLogDependencies> = async (
  exchange,
  dependencies,
  id,
) => {
  const proxyId = readUuid(id, 'There is no proxy with this id.');
  exchange.logFields.proxyId = proxyId;
  return list(exchange, dependencies, { $case: 'proxyId', value: proxyId });
};

/** `GET /reactors/{id}/invocations`. */
export const listReactorInvocations: Handler<InvocationLogDependencies> = async (
  exchange,
  dependencies,
  id,
) => {
  const reactorId = readReactorId(id);
  exchange.logFields.reactorId = reactorId;
  return list(exchange, dependencies, { $case: 'reactorId', value: reactorId });
};

type Owner = Parameters<RunnerClient['listInvocations']>[1]['owner'];

async function list(
  exchange: Exchange,
  { published, runner }: InvocationLogDependencies,
  owner: Owner,
): Promise<void> {
  const { apiKey } = await authenticateCaller(exchange, published);
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
