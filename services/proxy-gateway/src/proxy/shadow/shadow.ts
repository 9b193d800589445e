import type { ProxyRecord } from '@glovebox/published/records';

import type { RawResponse } from '../../http/exchange.ts';
import type { DetokenizedRequest } from '../detokenize/detokenize-request.ts';
import type { OutboundMessage } from '../forward/outbound-request.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

/** A message before and after the transforms of the present version. */
interface Transformed<Input, Made> {
  readonly input: Input;
  readonly made: Made;
}

/**
 * What a shadow gets of an invocation after its answer, with the result of the present version. It
 * holds values, and nothing of it is kept.
 */
export class Shadow {
  readonly invocation: ProxyInvocation;
  readonly second: ProxyRecord;
  readonly rolloutId: string;
  request: Transformed<DetokenizedRequest, OutboundMessage> | undefined;
  response: Transformed<RawResponse, RawResponse> | undefined;

  constructor(invocation: ProxyInvocation, second: ProxyRecord, rolloutId: string) {
    this.invocation = invocation;
    this.second = second;
    this.rolloutId = rolloutId;
  }

  keepRequest(input: DetokenizedRequest, made: OutboundMessage): void {
    // What streams is not there any more.
    if (input.received.kind !== 'stream') this.request = { input, made };
  }

  keepResponse(input: RawResponse, made: RawResponse): void {
    this.response = { input, made };
  }

  /** That it keeps from being freed. */
  get bytes(): number {
    const { request, response } = this;
    const bodies = [request?.input.body, request?.made.body, response?.input.body, response?.made.body];
    return bodies.reduce<number>((sum, body) => sum + (Buffer.isBuffer(body) ? body.length : 0), 0);
  }
}

/** Undefined for a request that no other version is tried on. */
export function createShadow(invocation: ProxyInvocation): Shadow | undefined {
  const { shadow, rolloutId } = invocation;
  if (shadow === undefined || rolloutId === undefined) return undefined;
  return new Shadow(invocation, shadow, rolloutId);
}
