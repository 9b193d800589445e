import { hashKey } from '@glovebox/access/api-key';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import { TransformSide } from '@glovebox/protos/runner/v1/runner';

import type { Exchange } from '../../http/exchange.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import type { ProxyTarget } from '../resolve/proxy-target.ts';
import type { Selected } from '../resolve/resolve.ts';
import { type Side, type TransformResult, readResult } from './read-result.ts';

/** One request on its way through a proxy. */
export interface Invocation extends Selected {
  readonly exchange: Exchange;
  readonly target: ProxyTarget;
  /** What was filled in on the way: no error about the request shows it. */
  readonly filled: KnownValues;
}

/**
 * @param hadBody whether there is one to transform
 * @throws AppError, and OwnAnswer for what the code threw to answer by itself.
 */
export async function runTransform(
  { exchange, caller, proxy, target }: Invocation,
  side: Side,
  args: Buffer,
  hadBody: boolean,
  runner: RunnerClient,
): Promise<TransformResult> {
  const proxyKeyHash = hashKey(exchange.headers.proxyKey ?? target.proxyKey ?? '');
  const anonymous = caller === undefined;
  const call = { proxyKeyHash, proxyVersion: proxy.version, side: sides[side], args, anonymous };
  return readResult(await runner.transform(exchange, call), side, hadBody, exchange.bounds.headerBytes);
}

const sides = {
  request: TransformSide.TRANSFORM_SIDE_REQUEST,
  response: TransformSide.TRANSFORM_SIDE_RESPONSE,
} as const;
