import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { DeliveryStore, type RecordedDelivery } from '@glovebox/published/delivery-store';
import { EventInbox } from '@glovebox/published/event-inbox';
import type { RedisNames } from '@glovebox/published/keys';
import type { EventBody, EventTarget } from '@glovebox/published/webhook-events';

/** The latest deliveries of webhooks, as runners keep them, and the way to ask for one. */
export interface WebhookDeliveries {
  /** Newest first. @param before the id of an event. @throws AppError `unavailable` */
  latest(webhookId: string, count: number, before?: string): Promise<readonly RecordedDelivery[]>;
  /** @throws AppError `not_found`, `unavailable` */
  find(webhookId: string, eventId: string): Promise<RecordedDelivery>;
  /** Has an event delivered to one webhook. @throws AppError `unavailable` */
  send(event: EventBody, target: EventTarget): Promise<RecordedDelivery>;
  /** Never rejects: what is left ends by itself. */
  forget(webhookId: string): Promise<void>;
}

export function webhookDeliveries(redis: Redis, names: RedisNames, waitingEvents: number): WebhookDeliveries {
  const store = new DeliveryStore(redis, names);
  const inbox = new EventInbox(redis, names, waitingEvents);
  return {
    latest: (...range) => store.latest(...range).catch(unavailable),
    async find(webhookId, eventId) {
      const found = await store.find(webhookId, eventId).catch(unavailable);
      if (found === undefined) throw new AppError('not_found', 'There is no such delivery any more.');
      return found;
    },
    async send(event, target) {
      const { webhook_id: webhookId } = target;
      const before = await store.find(webhookId, event.id).catch(unavailable);
      try {
        // A runner may be done before this returns: what it notes comes after.
        await store.note(webhookId, event, 'waiting').catch(unavailable);
        const room = await inbox.putFromMemory([{ ...event, target }]).catch(unavailable);
        if (room === 0) throw new AppError('unavailable', 'Too many events wait to be delivered.');
      } catch (error) {
        // What has not answered may be done all the same, also by a runner.
        await store.conclude(webhookId, event, before?.state ?? 'failed').catch(() => undefined);
        throw error;
      }
      return { event, state: 'waiting', attempts: before?.attempts ?? [] };
    },
    forget: (webhookId) => store.remove(webhookId).catch(() => undefined),
  };
}

function unavailable(cause: unknown): never {
  throw new AppError('unavailable', 'The deliveries cannot be reached right now.', { cause });
}
