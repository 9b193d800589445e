import { TransformSide } from '@glovebox/protos/runner/v1/runner';

import type { RunnerClient } from '../../runner/runner-client.ts';
import { type ProxyInvocation, type Side, proxyKeyHashOf } from '../resolve/proxy-invocation.ts';
import { type TransformResult, readResult } from './read-result.ts';

const sides = {
  request: TransformSide.TRANSFORM_SIDE_REQUEST,
  response: TransformSide.TRANSFORM_SIDE_RESPONSE,
} as const;

/**
 * @param hadBody whether there is one to transform
 * @throws AppError, and OwnAnswer for what the code threw to answer by itself.
 */
export async function runCode(
  invocation: ProxyInvocation,
  side: Side,
  args: Buffer,
  hadBody: boolean,
  runner: RunnerClient,
): Promise<TransformResult> {
  const { exchange, caller, proxy } = invocation;
  const result = await runner.transform(exchange, {
    proxyKeyHash: proxyKeyHashOf(invocation),
    proxyVersion: proxy.version,
    side: sides[side],
    args,
    anonymous: caller === undefined,
  });
  return readResult(result, side, hadBody, exchange.bounds.headerBytes);
}
