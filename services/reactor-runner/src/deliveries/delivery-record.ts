import type { DeliveryState, DeliveryStore } from '@glovebox/published/delivery-store';

import type { Delivery } from './delivery.ts';

export interface Attempted {
  /** Of the answer; absent without one. */
  readonly status?: number;
  /** Why it failed; it contains nothing of the address or of the answer. */
  readonly reason?: string;
}

/** Keeps what a tenant sees of the deliveries to its webhooks (contract/webhooks.md#deliveries). */
export class DeliveryRecord {
  readonly #store: Pick<DeliveryStore, 'note' | 'conclude'>;

  constructor(store: Pick<DeliveryStore, 'note' | 'conclude'>) {
    this.#store = store;
  }

  /**
   * Never rejects: a delivery is made even if it cannot be listed.
   * @param startedAt of the attempt, in milliseconds since the epoch
   */
  async note(
    delivery: Delivery,
    state: DeliveryState,
    startedAt: number,
    { status, reason }: Attempted,
  ): Promise<void> {
    if (delivery.kind !== 'event') return;
    const attempt = {
      at: new Date(startedAt).toISOString(),
      duration_ms: Date.now() - startedAt,
      ...(status === undefined ? {} : { status }),
      ...(status === undefined && reason !== undefined ? { error: reason } : {}),
    };
    await this.#store.note(delivery.webhookId, delivery.event, state, attempt).catch(() => undefined);
  }

  /**
   * For a delivery that will not be attempted any more: if it is listed as open, it has failed. Never rejects.
   * @param reason a word
   */
  async giveUp(delivery: Delivery, reason: string): Promise<void> {
    if (delivery.kind !== 'event') return;
    const attempt = { at: new Date().toISOString(), duration_ms: 0, error: reason };
    await this.#store.conclude(delivery.webhookId, delivery.event, 'failed', attempt).catch(() => undefined);
  }
}
