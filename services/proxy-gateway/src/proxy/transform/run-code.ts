import { type TransformResult, readResult } from '@glovebox/egress/transform-result';
import { TransformSide, type TransformedMessage } from '@glovebox/protos/runner/v1/runner';

import type { RunnerClient } from '../../runner/runner-client.ts';
import { type ProxyInvocation, type Side, proxyKeyHashOf } from '../resolve/proxy-invocation.ts';

const sides = {
  request: TransformSide.TRANSFORM_SIDE_REQUEST,
  response: TransformSide.TRANSFORM_SIDE_RESPONSE,
} as const;

/** The message that the code replaces. */
export type Replaced = Omit<TransformedMessage, 'maxHeaderBytes'>;

/**
 * @throws AppError, and ThrownResponse for what the code threw to answer by itself.
 */
export async function runCode(
  invocation: ProxyInvocation,
  side: Side,
  args: Buffer,
  replaced: Replaced,
  runner: Pick<RunnerClient, 'transform'>,
): Promise<TransformResult> {
  const { exchange, caller, proxy } = invocation;
  const maxHeaderBytes = exchange.bounds.headerBytes;
  const result = await runner.transform(exchange, {
    proxyKeyHash: proxyKeyHashOf(invocation),
    proxyVersion: proxy.version,
    side: sides[side],
    args,
    anonymous: caller === undefined,
    message: { ...replaced, maxHeaderBytes },
  });
  return readResult(result, side, replaced.hasBody, maxHeaderBytes);
}
