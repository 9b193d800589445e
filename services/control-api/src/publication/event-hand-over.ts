import type { Transacting } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { EventInbox } from '@glovebox/published/event-inbox';
import type { EventMetrics } from '@glovebox/published/event-metrics';
import { deleteOldEvents, moveToInbox, lockEvents } from '@glovebox/published/event-outbox';

import type { OnCheckpoint } from './checkpoints.ts';

export interface EventHandOverOptions {
  readonly postgres: Transacting;
  readonly inbox: Pick<EventInbox, 'put'>;
  readonly metrics: EventMetrics;
  readonly logger: Logger;
  readonly onCheckpoint: OnCheckpoint;
}

/** Events that one round moves. */
export const eventsPerRound = 100;
const dropPauseMs = 60_000;

/** Moves events to the inbox from which they are delivered. It never rejects, so no change fails because of it. */
export class EventHandOver {
  readonly #options: EventHandOverOptions;
  #failing = false;
  #nextDrop = Date.now() + dropPauseMs;

  constructor(options: EventHandOverOptions) {
    this.#options = options;
  }

  /**
   * @param rows of events whose changes are published
   * @returns whether there may be others
   */
  async moveToInbox(rows: readonly string[]): Promise<boolean> {
    if (rows.length === 0) return false;
    const { postgres, inbox, metrics, logger, onCheckpoint } = this.#options;
    try {
      const handedOver = await postgres.transaction(async (tx) => {
        const handed = await moveToInbox(tx, inbox, await lockEvents(tx, rows));
        onCheckpoint('events-handed-on');
        return handed;
      });
      metrics.handedOn(handedOver.events);
      this.#failing = false;
      return rows.length === eventsPerRound && !handedOver.full;
    } catch (err) {
      if (!this.#failing) logger.warn({ err }, 'events were not handed on; the next round will try again');
      this.#failing = true;
      return false;
    }
  }

  /** Once a minute, whether Redis is there or not. */
  async dropOld(): Promise<void> {
    if (Date.now() < this.#nextDrop) return;
    this.#nextDrop = Date.now() + dropPauseMs;
    const { postgres, metrics, logger } = this.#options;
    try {
      metrics.lost('old', await deleteOldEvents(postgres));
    } catch (err) {
      logger.warn({ err }, 'could not drop events that have waited for a day');
    }
  }
}
