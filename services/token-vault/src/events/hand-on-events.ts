import type { Logger } from '@glovebox/platform/logger';
import type { Postgres } from '@glovebox/platform/postgres';
import { repeatedly } from '@glovebox/platform/repeatedly';
import type { EventInbox } from '@glovebox/published/event-inbox';
import type { EventMetrics } from '@glovebox/published/event-metrics';
import { dropOldEvents, handOn, hasKeptEvents, readKeptEvents } from '@glovebox/published/event-outbox';

export interface HandOnOptions {
  readonly postgres: Postgres;
  readonly inbox: Pick<EventInbox, 'put'>;
  readonly metrics: EventMetrics;
  readonly logger: Logger;
}

const atOnce = 100;
const pauseMs = 500;

/** Brings the events that were kept with changes to where they are delivered from, until it is disposed; vaults share them. */
export function handOnEvents(options: HandOnOptions): AsyncDisposable {
  const { postgres, logger } = options;
  let failing = false;
  return repeatedly(pauseMs, async () => {
    try {
      let more = await hasKeptEvents(postgres);
      while (more) more = await handOnSome(options);
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'events were not handed on; the next round will try again');
      failing = true;
    }
  });
}

/** @returns whether there may be more for which there is room */
function handOnSome({ postgres, inbox, metrics }: HandOnOptions): Promise<boolean> {
  return postgres.transaction(async (tx) => {
    const kept = await readKeptEvents(tx, atOnce);
    const { events, full } = await handOn(tx, inbox, kept);
    metrics.handedOn(events);
    if (full) metrics.lost('old', await dropOldEvents(tx));
    return kept.length === atOnce && !full;
  });
}
