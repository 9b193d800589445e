import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { ReportLeakRequest } from '@glovebox/protos/vault/v1/vault';

import { CountedReports, type CountedReportsOptions } from './counted-reports.ts';

/** An answer that held a value which was filled into the request. Holds no value itself. */
export type ResponseLeak = Omit<Readonly<ReportLeakRequest>, 'count'>;

/** `report` records it in the audit log. */
export interface ResponseLeaksOptions extends Pick<
  CountedReportsOptions<ResponseLeak>,
  'report' | 'onLost' | 'minuteMs'
> {
  readonly metrics: MetricsRegistry;
}

/** As many as an application's refusals have entries. */
const mostOfTenant = 1000;

/** Counts what the leak guards of this process find, and reports it to the vault. */
export class ResponseLeaks implements AsyncDisposable {
  readonly #reports: CountedReports<ResponseLeak>;
  readonly #counter: Counter<'mode'>;

  constructor({ metrics, ...options }: ResponseLeaksOptions) {
    this.#reports = new CountedReports({ ...options, keyOf, merged, mostOfTenant });
    this.#counter = new Counter({
      name: 'glovebox_response_leaks_total',
      help: 'Answers that held a value which was filled into the request, by what the leak guard did.',
      labelNames: ['mode'],
      registers: [metrics],
    });
    // A series that appears with its first leak would show no increase.
    for (const mode of ['report', 'mask', 'refuse']) this.#counter.inc({ mode }, 0);
  }

  note(leak: ResponseLeak): void {
    this.#counter.inc({ mode: leak.mode });
    this.#reports.note(leak);
  }

  /** Reports what is not reported yet. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#reports[Symbol.asyncDispose]();
  }
}

function keyOf(leak: ResponseLeak): string {
  const { tenantId, subjectType, subjectId, destination, mode, applicationId } = leak;
  return [tenantId, subjectType, subjectId, destination, mode, applicationId].join(' ');
}

/** Not as the leak of an application: it is one of several. */
function merged(leak: ResponseLeak): ResponseLeak {
  return { ...leak, subjectId: '', destination: '', applicationId: '' };
}
