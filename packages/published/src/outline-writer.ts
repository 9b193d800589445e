import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { InvocationOutline } from './invocation-outline.ts';
import type { OutlineStore } from './outline-store.ts';

const pauseMs = 200;
/** In one pause: of all tenants, and of one. */
const mostWaiting = 2000;
const mostOfTenant = 200;

/**
 * Keeps outlines of invocations that have ended. No request waits for it, and none fails by it: what finds no room or
 * no Redis is lost and counted.
 */
export class OutlineWriter implements AsyncDisposable {
  readonly #store: Pick<OutlineStore, 'add'>;
  readonly #counter: Counter;
  readonly #rounds: AsyncDisposable;
  #waiting = new Map<string, InvocationOutline[]>();
  #count = 0;

  constructor(store: Pick<OutlineStore, 'add'>, metrics: MetricsRegistry) {
    this.#store = store;
    this.#counter = new Counter({
      name: 'glovebox_invocation_outlines_total',
      help: 'Outlines of invocations, by result: kept, overflow, or unstored while Redis is away.',
      labelNames: ['result'],
      registers: [metrics],
    });
    this.#rounds = repeatedly(pauseMs, () => this.#write());
  }

  add(tenantId: string, outline: InvocationOutline): void {
    let ofTenant = this.#waiting.get(tenantId);
    if (this.#count >= mostWaiting || (ofTenant?.length ?? 0) >= mostOfTenant) {
      this.#counter.inc({ result: 'overflow' });
      return;
    }
    if (ofTenant === undefined) this.#waiting.set(tenantId, (ofTenant = []));
    ofTenant.push(outline);
    this.#count += 1;
  }

  /** Writes what waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rounds[Symbol.asyncDispose]();
    await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#count === 0) return;
    const [outlines, count] = [this.#waiting, this.#count];
    this.#waiting = new Map();
    this.#count = 0;
    const result = await this.#store.add(outlines).then(
      () => 'kept',
      () => 'unstored',
    );
    this.#counter.inc({ result }, count);
  }
}
