import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { ReportEgressRequest } from '@glovebox/protos/vault/v1/vault';

import { CountedReports, type CountedReportsOptions } from './counted-reports.ts';

/** A request that the egress policy of its tenant, or the list of its code, does not let pass. Holds no value. */
export type EgressViolation = Omit<Readonly<ReportEgressRequest>, 'count'>;

/** `report` records it in the audit log, and emits its event. */
export interface EgressViolationsOptions extends Pick<
  CountedReportsOptions<EgressViolation>,
  'report' | 'onLost' | 'minuteMs'
> {
  readonly metrics: MetricsRegistry;
}

const others = 'other hosts';
/** A caller can name any host. */
const mostOfTenant = 20;

/** Counts violations, and reports them to the vault. */
export class EgressViolations implements AsyncDisposable {
  readonly #reports: CountedReports<EgressViolation>;
  readonly #counter: Counter<'outcome'>;

  constructor({ metrics, ...options }: EgressViolationsOptions) {
    this.#reports = new CountedReports({ ...options, keyOf, merged, mostOfTenant });
    this.#counter = new Counter({
      name: 'glovebox_egress_violations_total',
      help: 'Requests to hosts that the egress policy of their tenant, or the list of their code, does not name.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    // A series that appears with its first violation would show no increase.
    for (const outcome of ['allowed', 'denied']) this.#counter.inc({ outcome }, 0);
  }

  note(violation: EgressViolation): void {
    this.#counter.inc({ outcome: violation.denied ? 'denied' : 'allowed' });
    this.#reports.note(violation);
  }

  /** Reports what is not reported yet. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#reports[Symbol.asyncDispose]();
  }
}

function keyOf({ tenantId, subjectType, subjectId, destination, reason, denied }: EgressViolation): string {
  return [tenantId, subjectType, subjectId, destination, reason, denied].join(' ');
}

function merged(violation: EgressViolation): EgressViolation {
  return { ...violation, subjectId: '', destination: others };
}
