import { beforeCode } from '../../idempotency/invocation-progress.ts';
import type { OutboundMessage } from '../forward/outbound-message.ts';
import { stepsOf } from '../resolve/transform-steps.ts';
import { makeToken } from './make-token.ts';
import { type ReceivedRequest, transformRequest } from './transform-request.ts';
import type { Transformation } from './transformation.ts';

/**
 * Runs the transforms of a request, in their order.
 * @returns undefined when none of them changes it
 */
export async function runRequestSteps(
  transformation: Transformation,
  received: ReceivedRequest,
): Promise<OutboundMessage | undefined> {
  const { invocation, effects, runner, maxBytes } = transformation;
  let message: OutboundMessage | undefined;
  for (const step of stepsOf(invocation.proxy, 'request')) {
    if (step.type === 'tokenize') {
      effects.reaches('code');
      await makeToken(transformation, step, undefined);
    } else {
      beforeCode(effects, runner);
      message = await transformRequest(invocation, received, runner, maxBytes);
    }
  }
  return message;
}
