import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { createLogger } from '@glovebox/platform/telemetry/logger';

import { prepareLibrary } from '../src/node16/library/prepare-library.ts';
import { preparePackages } from '../src/node16/library/prepare-packages.ts';
import { type PoolOptions, WorkerPool } from '../src/scheduling/worker-pool.ts';
import type { Outcome } from '../src/worker-protocol/outcome.ts';

/** What the service is asked, and what it answers. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly tenantId: string;
}

export interface BtPool extends AsyncDisposable {
  readonly asked: Asked[];
  answer: (asked: Asked) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Runs code that has bt; gives what became of it, results parsed. */
  run(code: string, options?: RunOptions): Promise<Ended>;
}

export interface RunOptions {
  readonly tenant?: string;
  readonly argument?: unknown;
  readonly signal?: AbortSignal;
  readonly depth?: number;
}

export interface Ended {
  readonly kind: Outcome['kind'];
  /** What was returned, or thrown: `Name: message`. */
  readonly value: unknown;
}

const answers = { status: 200, body: {} };

/** Real workers and isolates, and in the place of the vault whatever a test answers. */
export async function startBtPool(
  changes: Partial<PoolOptions['worker']> = {},
  options: Partial<Pick<PoolOptions, 'runsPerTenant' | 'onOutcome'>> = {},
): Promise<BtPool> {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const [libraryFile, packagesFile] = await Promise.all([prepareLibrary(), preparePackages()]);
  const asked: Asked[] = [];
  const test: Pick<BtPool, 'answer'> = { answer: async () => answers };
  const pool = new WorkerPool({
    size: 2,
    wallMs: 5000,
    runsPerTenant: 1000,
    queuedBytes: 64_000_000,
    onAgain: () => undefined,
    logger,
    onOutcome() {},
    async answerBtRequest(run, _delegation, request, signal) {
      const end = request.indexOf('\n');
      const head = JSON.parse(request.toString('utf8', 0, end)) as Pick<Asked, 'method' | 'path' | 'headers'>;
      const one = { ...head, body: request.toString('utf8', end + 1), signal, tenantId: run.tenantId };
      asked.push(one);
      const { status, body } = await test.answer(one);
      return Buffer.from(`${JSON.stringify({ status, headers: {} })}\n${JSON.stringify(body)}`);
    },
    worker: { ...limits, libraryFile, packagesFile, ...changes },
    ...options,
  });
  return Object.assign(test, {
    asked,
    async run(code: string, { tenant = 'a', argument = {}, signal, depth }: RunOptions = {}) {
      const gone = signal ?? new AbortController().signal;
      const outcome = await pool.run({
        tenantId: tenant,
        correlationId: 'c',
        code,
        argument: Buffer.from(JSON.stringify(argument)),
        delegation: { owner: { $case: 'proxyKeyHash', value: 'h' }, version: 1, applicationId: 'a' },
        ...(depth === undefined ? {} : { depth }),
        lifetime: {
          deadline: Date.now() + 20_000,
          signal: gone,
          get cancelled() {
            return gone.aborted;
          },
        },
      });
      return { kind: outcome.kind, value: valueOf(outcome) };
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  });
}

function valueOf(outcome: Outcome): unknown {
  if (outcome.kind === 'returned')
    return outcome.result.length === 0 ? undefined : JSON.parse(outcome.result.toString());
  if (outcome.kind !== 'threw') return undefined;
  const { name, message } = JSON.parse(outcome.thrown) as Record<string, string>;
  return `${name}: ${message}`;
}

const limits: PoolOptions['worker'] = {
  memoryMb: 64,
  cpuMs: 5000,
  processMemoryMb: 400,
  argumentBytes: 1_000_000,
  resultLength: 1_000_000,
  logLength: 1000,
  logLines: 100,
  btRequestsAtOnce: 8,
  btRequestsPerCall: 100,
  btRequestBytes: 200_000,
  suspendedPerWorker: 4,
  runsPerIsolate: 50_000,
  startMs: 10_000,
  network: {
    policy: createEgressPolicy({ profile: 'strict' }),
    ownListeners: [],
    connectTimeoutMs: 1000,
    connectionsAtOnce: 1,
    connections: 1,
    receivedBytes: 1000,
    sentBytes: 1000,
  },
};
