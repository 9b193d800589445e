import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';
import type { EventInbox, TakenEvent } from '@glovebox/published/event-inbox';

import type { EventTeller } from './webhook-emitter.ts';

export interface EventIntakeOptions {
  readonly inbox: Pick<EventInbox, 'take' | 'done'>;
  readonly events: Pick<EventTeller, 'tell'>;
  readonly logger: Logger;
}

const atOnce = 100;
const pauseMs = 200;

/**
 * Brings what other services have put into the inbox to the endpoints that want it, until it is disposed. What cannot be
 * told now comes again, here or in another process.
 */
export function takeEvents({ inbox, events, logger }: EventIntakeOptions): AsyncDisposable {
  let failing = false;
  const ended = new AbortController();
  const rounds = repeatedly(pauseMs, async () => {
    try {
      for (let more = true; more && !ended.signal.aborted;) {
        const taken = await inbox.take(atOnce);
        more = taken.length === atOnce;
        const told = await tellAll(taken);
        await inbox.done(told);
        if (told.length < taken.length) throw new Error('not all events could be told');
      }
      failing = false;
    } catch (err) {
      if (!failing)
        logger.warn({ err }, 'events of other services could not be taken; the next round will try');
      failing = true;
    }
  });
  const tellAll = async (taken: readonly TakenEvent[]) => {
    const tellings = await Promise.allSettled(taken.map(({ event }) => events.tell(event)));
    return taken.filter((_, position) => tellings[position]?.status === 'fulfilled');
  };
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await rounds[Symbol.asyncDispose]();
    },
  };
}
