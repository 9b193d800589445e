import { AppError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { ReadInvocationLogRequest, ReadInvocationLogResponse } from '@glovebox/protos/runner/v1/runner';

import type { ListInvocationsContext } from './list-invocations.ts';

/** All that are stored of a proxy or reactor. */
const most = 100;
/** Of one tenant, whatever control-api asks for: it is not the one that may read everything. */
const mostInAnHour = 60;
const hourMs = 60 * 60_000;

/** What was read of each tenant in the last hour. */
export class ReadCounts {
  readonly #times = new Map<string, readonly number[]>();

  /** Counts one. @throws AppError `rate_limited` */
  enter(tenantId: string, now = Date.now()): void {
    const times = (this.#times.get(tenantId) ?? []).filter((time) => time > now - hourMs);
    if (times.length >= mostInAnHour) {
      throw new AppError('rate_limited', `At most ${mostInAnHour} logs of code are shown in an hour.`);
    }
    this.#times.set(tenantId, [...times, now]);
  }
}

export interface ReadInvocationLogContext extends ListInvocationsContext {
  readonly reads: ReadCounts;
}

/**
 * What the code of one request wrote, and how it failed, for a person: control-api has decided that they may see it.
 * @throws AppError `not_found` for a proxy or reactor of another tenant, `rate_limited`
 */
export async function readInvocationLog(
  { published, invocations, logSealing, reads }: ReadInvocationLogContext,
  { tenantId, ownerId, traceId }: ReadInvocationLogRequest,
  { correlationId }: Pick<UnaryContext, 'correlationId'>,
): Promise<ReadInvocationLogResponse> {
  const owner = (await published.proxyReferenceById(ownerId)) ?? (await published.reactorById(ownerId));
  if (owner === undefined || owner.tenantId !== tenantId) {
    throw new AppError('not_found', 'There is no such proxy or reactor.');
  }
  reads.enter(tenantId);
  const stored = await invocations.latest(ownerId, most);
  const items = stored.map(({ id, sealed }) => ({ place: { tenantId, ownerId, id }, sealed }));
  const texts = items.length === 0 ? [] : await logSealing.open(items, correlationId);
  const own = texts.filter((text) => isOf(text, traceId));
  return { json: Buffer.from(`[${own.join(',')}]`) };
}

function isOf(text: string, traceId: string): boolean {
  const { correlation_id: own } = JSON.parse(text) as { readonly correlation_id?: unknown };
  return own === traceId;
}
