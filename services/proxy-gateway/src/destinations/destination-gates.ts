import { AppError } from '@glovebox/platform/errors/app-error';
import { Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';

import { Bulkhead, type BulkheadLimits } from './bulkhead.ts';
import { type Admission, Circuit } from './circuit.ts';

/** The most destinations of one group that are known at once. */
const mostDestinations = 1000;

interface Gate {
  readonly circuit: Circuit;
  readonly bulkhead: Bulkhead;
  /** Requests that were admitted and have not ended. */
  open: number;
}

/**
 * A circuit breaker and a bulkhead for each destination of each group of callers (ADR 64): no tenant's requests open
 * the circuit of another's, or take the slots that another's need.
 */
export class DestinationGates {
  readonly #limits: BulkheadLimits;
  readonly #now: () => number;
  readonly #groups = new Map<string, Map<string, Gate>>();

  /** @param now of a clock in milliseconds that never goes back */
  constructor(limits: BulkheadLimits, metrics: MetricsRegistry, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    const gauge: Gauge = new Gauge({
      name: 'glovebox_destination_circuits_open',
      help: 'Destinations of tenants that get no requests for a while, because they failed repeatedly',
      registers: [metrics],
      collect: () => gauge.set(this.#sweep()),
    });
  }

  /**
   * Admits a request before anything is read of it.
   * @param group the tenant's own callers, or those that anybody can be
   * @param origin scheme, host and port; for a proxy with `destination_tls` also its id and version
   * @throws AppError `destination_circuit_open`, or `rate_limited` when too many requests wait for the destination
   */
  admit(group: string, origin: string): Passage {
    const gate = this.#gateOf(group, origin);
    requireClosed(gate.circuit, this.#now());
    if (gate.bulkhead.isFull) throw tooMany();
    gate.open += 1;
    const forget = () => this.#forget(group, origin, gate);
    return new Passage(gate, gate.circuit.admit(), this.#now, forget);
  }

  #gateOf(group: string, origin: string): Gate {
    const known = this.#groups.get(group)?.get(origin);
    if (known !== undefined) return known;
    let gates = this.#groups.get(group);
    if (gates === undefined) this.#groups.set(group, (gates = new Map()));
    if (gates.size >= mostDestinations) dropOldest(gates);
    const gate = { circuit: new Circuit(), bulkhead: new Bulkhead(this.#limits), open: 0 };
    gates.set(origin, gate);
    return gate;
  }

  #forget(group: string, origin: string, gate: Gate): void {
    gate.open -= 1;
    if (gate.open > 0 || !gate.circuit.isForgettable(this.#now())) return;
    const gates = this.#groups.get(group);
    if (gates?.get(origin) === gate) gates.delete(origin);
    if (gates?.size === 0) this.#groups.delete(group);
  }

  /** Forgets what is as good as new. @returns how many circuits are open */
  #sweep(): number {
    const now = this.#now();
    let open = 0;
    for (const [group, gates] of this.#groups) {
      for (const [origin, gate] of gates) {
        if (gate.open === 0 && gate.circuit.isForgettable(now)) gates.delete(origin);
        else if (gate.circuit.isOpen) open += 1;
      }
      if (gates.size === 0) this.#groups.delete(group);
    }
    return open;
  }
}

/** The way of one request to its destination. */
export class Passage {
  readonly #gate: Gate;
  readonly #admission: Admission;
  readonly #now: () => number;
  readonly #forget: () => void;
  #hasSlot = false;
  #isJudged = false;

  constructor(gate: Gate, admission: Admission, now: () => number, forget: () => void) {
    this.#gate = gate;
    this.#admission = admission;
    this.#now = now;
    this.#forget = forget;
  }

  /**
   * Waits until the request may be sent.
   * @throws AppError `destination_circuit_open` if the circuit has opened meanwhile, `rate_limited` if there is no room
   */
  enter(): MaybePromise<void> {
    this.#requireClosed();
    return andThen(this.#gate.bulkhead.enter(), (hasSlot) => {
      if (!hasSlot) throw tooMany();
      this.#hasSlot = true;
      this.#requireClosed();
    });
  }

  /** The destination answered, whatever its status. */
  answered(): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.#gate.circuit.succeeded();
  }

  /** There was no answer, and the destination or the way to it is why. */
  failed(): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.#gate.circuit.failed(this.#admission, this.#now());
  }

  /** The destination has nothing more to do with the request. */
  exit(): void {
    if (this.#hasSlot) this.#gate.bulkhead.leave();
    this.#hasSlot = false;
  }

  /** The request has ended. */
  leave(): void {
    this.exit();
    if (!this.#isJudged) this.#gate.circuit.gaveUp(this.#admission);
    this.#forget();
  }

  #requireClosed(): void {
    if (this.#admission === 'closed') requireClosed(this.#gate.circuit, this.#now());
  }
}

function dropOldest(gates: Map<string, Gate>): void {
  for (const [origin, { open }] of gates) {
    if (open > 0) continue;
    gates.delete(origin);
    return;
  }
}

/** @throws AppError */
function requireClosed(circuit: Circuit, now: number): void {
  const waitMs = circuit.refusesFor(now);
  if (waitMs === 0) return;
  throw new AppError(
    'destination_circuit_open',
    'The destination failed repeatedly, so it gets no requests for a moment. Nothing was sent.',
    { retryAfterSeconds: Math.ceil(waitMs / 1000), fixed: true },
  );
}

function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many requests of this tenant wait for this destination.', {
    retryAfterSeconds: 1,
    fixed: true,
  });
}
