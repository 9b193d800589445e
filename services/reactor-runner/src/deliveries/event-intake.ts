import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';
import type { EventInbox, TakenEvent } from '@glovebox/published/event-inbox';

import type { WebhookEmitter } from './webhook-emitter.ts';

export interface EventIntakeOptions {
  readonly inbox: Pick<EventInbox, 'take' | 'done'>;
  readonly events: Pick<WebhookEmitter, 'emit'>;
  readonly logger: Logger;
}

const atOnce = 100;
const pauseMs = 200;

/**
 * Emits the events that other services put into the inbox, until it is disposed. An event that cannot be emitted now is
 * taken again later, here or in another process.
 */
export function takeEvents({ inbox, events, logger }: EventIntakeOptions): AsyncDisposable {
  let failing = false;
  const ended = new AbortController();
  const rounds = repeatedly(pauseMs, async () => {
    try {
      for (let more = true; more && !ended.signal.aborted;) {
        const taken = await inbox.take(atOnce);
        more = taken.length === atOnce;
        const emitted = await emitAll(taken);
        await inbox.done(emitted);
        if (emitted.length < taken.length) throw new Error('not all events could be emitted');
      }
      failing = false;
    } catch (err) {
      if (!failing)
        logger.warn({ err }, 'events of other services could not be read; the next round tries again');
      failing = true;
    }
  });
  const emitAll = async (taken: readonly TakenEvent[]) => {
    const results = await Promise.allSettled(taken.map(({ event }) => events.emit(event)));
    return taken.filter((_, position) => results[position]?.status === 'fulfilled');
  };
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await rounds[Symbol.asyncDispose]();
    },
  };
}
