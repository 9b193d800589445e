import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import { SpanKind, contextOf, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';

/** Puts a unary call into the caller's trace, if that is recorded. */
export function traced<T>(
  name: string,
  { traceparent }: Pick<UnaryContext, 'traceparent'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = contextOf(traceparent);
  return isSampled(parent) ? withSpan(name, { kind: SpanKind.SERVER }, parent, work) : work();
}
