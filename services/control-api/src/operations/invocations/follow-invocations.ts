import { setTimeout as pause } from 'node:timers/promises';

import { validationError } from '@glovebox/platform/errors/app-error';
import type { PlacedOutline } from '@glovebox/published/outline-store';

import type { Call, Reply } from '../../http/call.ts';
import { isShown } from '../../invocations/invocation-filter.ts';
import type { LiveStreams } from '../../invocations/live-streams.ts';
import type { InvocationDependencies } from './list-invocations.ts';
import { isPlace, readInvocationFilter } from './read-invocation-query.ts';

export interface FollowDependencies extends InvocationDependencies {
  readonly liveStreams: LiveStreams;
}

/** A stream ends after this long, so that the right to follow it is looked at again. Clients go on by themselves. */
const lifetimeMs = 60_000;
/** How often it is looked for new ones, and how many are sent at once. */
const pauseMs = 500;
const batch = 500;
/** Keeps connections open that nothing is sent on, and finds those that are dead. */
const heartbeatMs = 5000;
/** Before a client connects again. */
const retryMs = 1000;

/**
 * Invocations as they end, as server-sent events (contract/invocations.md#stream, WHATWG HTML section 9.2).
 * @throws AppError `invalid_argument`, `rate_limited` when the tenant follows too many streams
 */
export async function followInvocations(
  { outlines, liveStreams }: FollowDependencies,
  { principal, query, lastEventId }: Call,
): Promise<Reply> {
  const filter = readInvocationFilter(query);
  if (lastEventId !== undefined && !isPlace(lastEventId)) {
    throw validationError({ 'Last-Event-ID': ['is the id of no event of this stream'] });
  }
  const { tenantId } = principal;
  const isWanted = ({ outline }: PlacedOutline) => isShown(outline, filter, principal);
  const after = lastEventId ?? (await outlines.newest(tenantId)) ?? '0-0';
  const gone = new AbortController();
  const left = AbortSignal.any([gone.signal, liveStreams.closing]);
  const chunks = follow({ outlines, liveStreams, tenantId, isWanted, after, left });
  return { status: 200, stream: { type: 'text/event-stream', chunks, onGone: () => gone.abort() } };
}

interface Following extends FollowDependencies {
  readonly tenantId: string;
  readonly isWanted: (placed: PlacedOutline) => boolean;
  /** Place of the last one that is known. */
  readonly after: string;
  /** Aborts when the client has gone: its place is free at once. */
  readonly left: AbortSignal;
}

async function* follow({
  outlines,
  liveStreams,
  tenantId,
  isWanted,
  after,
  left,
}: Following): AsyncGenerator<string> {
  using _place = liveStreams.open(tenantId);
  const end = performance.now() + lifetimeMs;
  let last = after;
  let sentAt = performance.now();
  yield `retry: ${retryMs}\nid: ${last}\n\n`;
  while (performance.now() < end && !left.aborted) {
    const read = await outlines.since(tenantId, last, batch);
    last = read.at(-1)?.place ?? last;
    let text = read.filter(isWanted).map(eventOf).join('');
    if (read.length === batch) {
      last = (await outlines.newest(tenantId)) ?? last;
      text += `event: skipped\nid: ${last}\ndata: {}\n\n`;
    }
    if (text === '' && performance.now() - sentAt > heartbeatMs) text = ': \n\n';
    if (text !== '') {
      sentAt = performance.now();
      yield text;
    }
    await pause(pauseMs, undefined, { signal: left }).catch(() => undefined);
  }
}

function eventOf({ place, outline }: PlacedOutline): string {
  return `event: invocation\nid: ${place}\ndata: ${JSON.stringify(outline)}\n\n`;
}
