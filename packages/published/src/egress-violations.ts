import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { ReportEgressRequest } from '@glovebox/protos/vault/v1/vault';

/** A request that the egress policy of its tenant, or the list of its code, does not let pass. Holds no value. */
export type EgressViolation = Omit<Readonly<ReportEgressRequest>, 'count'>;

interface Counted {
  readonly violation: EgressViolation;
  /** Not reported yet. */
  count: number;
}

export interface EgressViolationsOptions {
  /** Records it in the audit log, and emits its event. Rejects while that is impossible. */
  readonly report: (request: ReportEgressRequest) => Promise<void>;
  readonly onLost: (error: unknown) => void;
  readonly metrics: MetricsRegistry;
  /** Default: a minute; for tests. */
  readonly minuteMs?: number;
}

const minuteMs = 60_000;
/** Different ones of one tenant in a minute: a caller can name any host. More are counted together. */
const maxOfTenant = 20;
const maxCounted = 10_000;
const others = 'other hosts';

/**
 * Reports the first violation of a subject and a host at once, and the further ones of each minute together, with their
 * number. So neither a busy proxy nor a caller who names ever new hosts floods the log.
 */
export class EgressViolations implements AsyncDisposable {
  readonly #options: EgressViolationsOptions;
  readonly #counted = new Map<string, Counted>();
  readonly #ofTenants = new Map<string, number>();
  readonly #counter: Counter<'outcome'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EgressViolationsOptions) {
    this.#options = options;
    this.#counter = new Counter({
      name: 'glovebox_egress_violations_total',
      help: 'Requests to hosts that the egress policy of their tenant, or the list of their code, does not name.',
      labelNames: ['outcome'],
      registers: [options.metrics],
    });
    // A series that appears with its first violation would show no increase.
    for (const outcome of ['allowed', 'denied']) this.#counter.inc({ outcome }, 0);
  }

  note(violation: EgressViolation): void {
    this.#counter.inc({ outcome: violation.denied ? 'denied' : 'allowed' });
    const ofTenant = this.#ofTenants.get(violation.tenantId) ?? 0;
    const known = this.#counted.get(keyOf(violation));
    if (known === undefined && ofTenant >= maxOfTenant) this.#count(withoutHost(violation));
    else this.#count(violation);
  }

  /** Reports what is not reported yet. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#counted.values()].map((counted) => this.#report(counted)));
  }

  #count(violation: EgressViolation): void {
    const key = keyOf(violation);
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#counted.size < maxCounted) this.#hold(key, { violation, count: 1 });
  }

  #hold(key: string, counted: Counted): void {
    const { tenantId } = counted.violation;
    this.#counted.set(key, counted);
    this.#ofTenants.set(tenantId, (this.#ofTenants.get(tenantId) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.#endMinute(), this.#options.minuteMs ?? minuteMs).unref();
    void this.#report(counted);
  }

  #endMinute(): void {
    this.#timer = undefined;
    const all = [...this.#counted];
    this.#counted.clear();
    this.#ofTenants.clear();
    // One that goes on is not reported at once again: its next report is a minute away.
    for (const [key, counted] of all) if (counted.count > 0) this.#hold(key, counted);
  }

  async #report(counted: Counted): Promise<void> {
    const { count, violation } = counted;
    if (count === 0) return;
    counted.count = 0;
    try {
      await this.#options.report({ ...violation, count });
    } catch (error) {
      counted.count += count;
      this.#options.onLost(error);
    }
  }
}

function keyOf({ tenantId, subjectType, subjectId, destination, reason, denied }: EgressViolation): string {
  return [tenantId, subjectType, subjectId, destination, reason, denied].join(' ');
}

function withoutHost(violation: EgressViolation): EgressViolation {
  return { ...violation, subjectId: '', destination: others };
}
