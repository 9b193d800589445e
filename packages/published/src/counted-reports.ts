export interface CountedReportsOptions<Report> {
  /** Reports with the same key are counted together. */
  readonly keyOf: (report: Report) => string;
  /** What a report becomes when its tenant has too many different ones in a minute. */
  readonly merged: (report: Report) => Report;
  /** Different ones of one tenant in a minute; more are merged. */
  readonly mostOfTenant: number;
  /** Records it. Rejects while that is impossible. */
  readonly report: (report: Report & { readonly count: number }) => Promise<void>;
  readonly onLost: (error: unknown) => void;
  /** Default: a minute; for tests. */
  readonly minuteMs?: number | undefined;
}

interface Counted<Report> {
  readonly report: Report;
  /** Not reported yet. */
  count: number;
}

const minuteMs = 60_000;
/** Different ones of all tenants in a minute. More are merged, and with twice as many the rest is only in the metric. */
const mostCounted = 10_000;

/**
 * Reports the first of equal ones at once, and the further ones of each minute together, with their number. So neither a
 * busy proxy nor a caller who names ever new hosts floods the log.
 */
export class CountedReports<Report extends { readonly tenantId: string }> implements AsyncDisposable {
  readonly #options: CountedReportsOptions<Report>;
  readonly #counted = new Map<string, Counted<Report>>();
  readonly #ofTenants = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CountedReportsOptions<Report>) {
    this.#options = options;
  }

  note(report: Report): void {
    const { keyOf, merged, mostOfTenant } = this.#options;
    const ofTenant = this.#ofTenants.get(report.tenantId) ?? 0;
    const isFull = ofTenant >= mostOfTenant || this.#counted.size >= mostCounted;
    this.#count(isFull && !this.#counted.has(keyOf(report)) ? merged(report) : report);
  }

  /** Reports what is not reported yet. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#counted.values()].map((counted) => this.#report(counted)));
  }

  #count(report: Report): void {
    const key = this.#options.keyOf(report);
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#counted.size < 2 * mostCounted) this.#hold(key, { report, count: 1 });
  }

  #hold(key: string, counted: Counted<Report>): void {
    const { tenantId } = counted.report;
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

  async #report(counted: Counted<Report>): Promise<void> {
    const { count, report } = counted;
    if (count === 0) return;
    counted.count = 0;
    try {
      await this.#options.report({ ...report, count });
    } catch (error) {
      counted.count += count;
      this.#options.onLost(error);
    }
  }
}
