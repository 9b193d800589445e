import type { GatewayConfig } from './config.ts';

/** How much the handlers take of one request or answer. */
export function boundsOf({ limits, idempotency }: Pick<GatewayConfig, 'limits' | 'idempotency'>) {
  const { maxSearchedBytes, maxFilledBytes, maxTransformedBytes, maxReactBytes, maxTokenBodyBytes } = limits;
  const { maxAnswerBytes } = idempotency;
  return {
    maxSearchedBytes,
    maxFilledBytes,
    maxTransformedBytes,
    maxReactBytes,
    maxBodyBytes: maxTokenBodyBytes,
    maxAnswerBytes,
  };
}
