import { type AppError, type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { classOfDuration, durationClasses } from '@glovebox/platform/values/duration-classes';
import { repeatedly } from '@glovebox/platform/values/repeatedly';
import { type TenantTraffic, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

const timeoutMs = 5_000;
const reportEveryMs = 10_000;
/** The vault takes no more in one report. */
const mostAtOnce = 1000;

type Counts = { -readonly [Name in keyof TenantTraffic]: TenantTraffic[Name] } & { durations: number[] };

export interface TrafficOptions {
  readonly report: (tenants: readonly TenantTraffic[]) => Promise<void>;
  /** Called for the first of several that fail. */
  readonly onLost: (error: AppError) => void;
  /** For tests. */
  readonly everyMs?: number;
}

/** Has the vault add to the figures of tenants. */
export function trafficReporter(channel: GrpcChannel): TrafficOptions['report'] {
  return async (tenants) => {
    const options = { deadline: Date.now() + timeoutMs };
    await channel.unary(VaultServiceService.reportTraffic, { tenants: [...tenants] }, options);
  };
}

/**
 * Counts the requests of each tenant, and reports every ten seconds what has come. A report that fails is lost: these are
 * figures to look at, and no accounts. Disposing it reports the rest.
 */
export class Traffic implements AsyncDisposable {
  readonly #options: TrafficOptions;
  readonly #reporting: AsyncDisposable;
  #tenants = new Map<string, Counts>();
  #isFailing = false;

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#reporting = repeatedly(options.everyMs ?? reportEveryMs, () => this.#report());
  }

  /** @param errorCode with which the service itself answered */
  noteRequest(tenantId: string, status: number, errorCode: string | undefined, milliseconds: number): void {
    const counts = this.#countsOf(tenantId);
    counts.requests += 1;
    if (status >= 500) counts.errors += 1;
    if (errorCode !== undefined && refusals.has(errorCode)) counts.refused += 1;
    const at = classOfDuration(milliseconds);
    counts.durations[at] = (counts.durations[at] ?? 0) + 1;
  }

  /** Code of the tenant was ended. */
  noteKilled(tenantId: string): void {
    this.#countsOf(tenantId).killed += 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reporting[Symbol.asyncDispose]();
    await this.#report();
  }

  #countsOf(tenantId: string): Counts {
    let counts = this.#tenants.get(tenantId);
    if (counts === undefined) {
      const durations = Array<number>(durationClasses).fill(0);
      counts = { tenantId, requests: 0, errors: 0, refused: 0, killed: 0, durations };
      this.#tenants.set(tenantId, counts);
    }
    return counts;
  }

  async #report(): Promise<void> {
    const tenants = [...this.#tenants.values()];
    this.#tenants = new Map();
    for (let from = 0; from < tenants.length; from += mostAtOnce) {
      try {
        await this.#options.report(tenants.slice(from, from + mostAtOnce));
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#options.onLost(toAppError(error));
        this.#isFailing = true;
      }
    }
  }
}

/** What a rule, a limit or a policy of the tenant refuses. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'permission_denied',
  'destination_not_bound',
  'destination_not_allowed',
  'use_limit',
]);
