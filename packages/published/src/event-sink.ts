import type { EventInbox } from './event-inbox.ts';
import type { EventMetrics } from './event-metrics.ts';
import type { EventBody } from './webhook-events.ts';

const mostWaiting = 1000;
/** So that one tenant's reads do not keep out the events of all others. */
const mostOfTenant = mostWaiting / 4;
const atOnce = 100;
const pauseMs = 50;

/**
 * Emits events that are in no database. No request waits for it: it holds them in memory, and they are lost with the
 * process. Lost events are counted.
 */
export class EventSink implements AsyncDisposable {
  readonly #inbox: Pick<EventInbox, 'putFromMemory'>;
  readonly #metrics: EventMetrics;
  #waiting: EventBody[] = [];
  readonly #ofTenants = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(inbox: Pick<EventInbox, 'putFromMemory'>, metrics: EventMetrics) {
    this.#inbox = inbox;
    this.#metrics = metrics;
  }

  emit(event: EventBody): void {
    const ofTenant = this.#ofTenants.get(event.tenant_id) ?? 0;
    if (this.#waiting.length >= mostWaiting || ofTenant >= mostOfTenant) {
      this.#metrics.lost('buffer', 1);
      return;
    }
    this.#waiting.push(event);
    this.#ofTenants.set(event.tenant_id, ofTenant + 1);
    if (this.#flushing === undefined) this.#timer ??= setTimeout(() => void this.#flush(), pauseMs);
  }

  /** Emits what it holds. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing;
    await this.#flush();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#drain().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#take();
      try {
        const put = await this.#inbox.putFromMemory(events);
        this.#metrics.handedOn(put);
        if (put < events.length) this.#metrics.lost('inbox', events.length - put);
      } catch {
        this.#metrics.lost('redis', events.length);
      }
    }
  }

  #take(): readonly EventBody[] {
    const events = this.#waiting.splice(0, atOnce);
    for (const { tenant_id } of events) {
      const left = (this.#ofTenants.get(tenant_id) ?? 0) - 1;
      if (left > 0) this.#ofTenants.set(tenant_id, left);
      else this.#ofTenants.delete(tenant_id);
    }
    return events;
  }
}
