import {
  Counter,
  Histogram,
  type MetricsRegistry,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';

/** Counts in a plain number and updates the metric when it is scraped: a metric is too slow for these paths. */
export interface Tally {
  add(count: number): void;
}

export interface CallTally {
  add(operation: string, outcome: string): void;
}

export interface LabelTally {
  add(label: string): void;
}

export interface VaultMetrics {
  readonly registry: MetricsRegistry;
  readonly frames: Tally;
  readonly calls: CallTally;
  readonly auditSeconds: Histogram;
  readonly rowCacheHits: Tally;
  readonly rowCacheMisses: Tally;
  readonly opened: Tally;
  readonly integrityViolations: Tally;
  readonly purged: Tally;
  readonly erased: Tally;
  readonly useLimits: LabelTally;
  readonly securityCodesPurged: Tally;
}

export function createVaultMetrics(registry: MetricsRegistry): VaultMetrics {
  const useLimits = new Counter({
    name: 'glovebox_vault_use_limits_reached_total',
    help: 'Requests that were refused because an application had reached a limit on its use of tokens.',
    labelNames: ['limit'],
    registers: [registry],
  });
  return {
    registry,
    frames: tally(registry, 'glovebox_vault_frames_total', 'Frames of the Exchange stream that held a call.'),
    calls: callTally(registry, 'glovebox_vault_calls_total', 'Answered calls: ok or an error code.'),
    auditSeconds: new Histogram({
      name: 'glovebox_vault_audit_seconds',
      help: 'Time to write the audit rows of one frame of reads.',
      buckets: durationBuckets,
      registers: [registry],
    }),
    rowCacheHits: tally(registry, 'glovebox_vault_row_cache_hits_total', 'Sealed rows that were at hand.'),
    rowCacheMisses: tally(
      registry,
      'glovebox_vault_row_cache_misses_total',
      'Sealed rows that had to be read.',
    ),
    opened: tally(registry, 'glovebox_vault_opened_total', 'Sealed token data that was opened.'),
    integrityViolations: tally(
      registry,
      'glovebox_integrity_violations_total',
      'Stored data that did not authenticate and was not used.',
    ),
    useLimits: {
      add: (limit) => useLimits.inc({ limit }),
    },
    purged: tally(registry, 'glovebox_vault_purged_total', 'Rows of expired tokens that were removed.'),
    erased: tally(registry, 'glovebox_vault_erased_rows_total', 'Rows of erased tenants that were removed.'),
    securityCodesPurged: tally(
      registry,
      'glovebox_vault_security_codes_purged_total',
      'Security codes of cards that were removed.',
    ),
  };
}

function tally(registry: MetricsRegistry, name: string, help: string): Tally {
  let pending = 0;
  const counter = new Counter({
    name,
    help,
    registers: [registry],
    collect: () => {
      counter.inc(pending);
      pending = 0;
    },
  });
  return {
    add: (count) => {
      pending += count;
    },
  };
}

function callTally(registry: MetricsRegistry, name: string, help: string): CallTally {
  const pending = new Map<string, Map<string, number>>();
  const counter = new Counter({
    name,
    help,
    labelNames: ['operation', 'outcome'],
    registers: [registry],
    collect: () => {
      for (const [operation, outcomes] of pending) {
        for (const [outcome, count] of outcomes) counter.inc({ operation, outcome }, count);
      }
      pending.clear();
    },
  });
  return {
    add: (operation, outcome) => {
      let outcomes = pending.get(operation);
      if (outcomes === undefined) pending.set(operation, (outcomes = new Map<string, number>()));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    },
  };
}
