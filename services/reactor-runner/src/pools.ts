import type { Logger } from '@glovebox/platform/telemetry/logger';

import type { RunnerConfig } from './config.ts';
import { networkOptions } from './network-options.ts';
import type { PreparedFiles } from './node16/library/user-code-files.ts';
import { LazyPool } from './scheduling/lazy-pool.ts';
import { type PoolOptions, WorkerPool } from './scheduling/worker-pool.ts';
import type { WorkerLimits } from './worker-process/worker-process.ts';

type Events = Pick<PoolOptions, 'answerBtRequest' | 'onOutcome' | 'onAgain'>;

/** The workers for requests, and those for shadows. */
export function openPools(
  stack: AsyncDisposableStack,
  ...options: [RunnerConfig, Logger, PreparedFiles, Events]
) {
  return renewed(options[2], {
    pool: stack.use(createPool(...options)),
    shadows: stack.use(new LazyPool(() => createShadowPool(...options))),
  });
}

function createPool(
  config: RunnerConfig,
  logger: Logger,
  prepared: PreparedFiles,
  events: Events,
  own: Partial<PoolOptions> = {},
): WorkerPool {
  const { limits } = config;
  return new WorkerPool({
    size: config.workers,
    wallMs: limits.wallMs,
    runsPerTenant: limits.callsPerTenant,
    queuedBytes: limits.queuedBytes,
    worker: { ...workerLimits(config), ...prepared.files },
    logger,
    ...events,
    ...own,
  });
}

/** Below the slots of the loader and the compiler; the first pool never has as many. */
const firstShadowSlot = 500;
const firstAsyncShadowSlot = 520;
const shadowRunsPerTenant = 16;

/** One worker for shadows: whatever their code does, requests are served. */
function createShadowPool(
  config: RunnerConfig,
  logger: Logger,
  prepared: PreparedFiles,
  events: Events,
  own: Partial<PoolOptions> = { firstSlot: firstShadowSlot },
): WorkerPool {
  const shadow = { size: 1, runsPerTenant: shadowRunsPerTenant, ...own };
  return createPool(config, logger, prepared, events, shadow);
}

/** Follows the compiler's slot (scheduling/compiler.ts), and stays within the free user ids (worker-process/spawn-worker.ts). */
const firstAsyncSlot = 551;

/** The workers for asynchronous runs, and those for their shadows. */
export function asyncPools(...options: [RunnerConfig, Logger, PreparedFiles, Events]) {
  return renewed(options[2], {
    lazy: new LazyPool(() => createAsyncPool(...options)),
    shadows: new LazyPool(() => createAsyncShadowPool(...options)),
  });
}

/** Pools that have the library when it comes late. */
function renewed<Pools extends Readonly<Record<string, Pick<WorkerPool, 'renew'>>>>(
  prepared: PreparedFiles,
  pools: Pools,
): Pools {
  prepared.onLibrary((files) => {
    for (const pool of Object.values(pools)) pool.renew(files);
  });
  return pools;
}

/** No caller waits for these runs, so a worker that is preempted may finish its calls. */
function createAsyncPool(
  config: RunnerConfig,
  logger: Logger,
  prepared: PreparedFiles,
  events: Events,
): WorkerPool {
  const { workers: size, wallMs } = config.async;
  const own = { size, wallMs, lastCallsMs: wallMs, firstSlot: firstAsyncSlot };
  return createPool(withAsyncCpu(config), logger, prepared, events, own);
}

/** Shadows of asynchronous runs have their time. */
function createAsyncShadowPool(
  config: RunnerConfig,
  logger: Logger,
  prepared: PreparedFiles,
  events: Events,
): WorkerPool {
  const { wallMs } = config.async;
  const own = { wallMs, lastCallsMs: wallMs, firstSlot: firstAsyncShadowSlot };
  return createShadowPool(withAsyncCpu(config), logger, prepared, events, own);
}

/** Asynchronous runs may take longer, so they may use as many times more processor time. */
function withAsyncCpu(config: RunnerConfig): RunnerConfig {
  const { async, limits } = config;
  return {
    ...config,
    limits: { ...limits, cpuMs: Math.ceil((limits.cpuMs * async.wallMs) / limits.wallMs) },
  };
}

export function workerLimits(config: RunnerConfig): WorkerLimits {
  const { limits } = config;
  return {
    network: networkOptions(config),
    memoryMb: limits.isolateMemoryMb,
    cpuMs: limits.cpuMs,
    processMemoryMb: limits.workerMemoryMb,
    argumentBytes: limits.argumentBytes,
    resultLength: limits.resultLength,
    logLength: limits.logLength,
    logLines: limits.logLines,
    btRequestsAtOnce: limits.btRequestsAtOnce,
    btRequestsPerCall: limits.btRequestsPerCall,
    btRequestBytes: limits.btRequestBytes,
    suspendedPerWorker: limits.suspendedPerWorker,
    runsPerIsolate: limits.runsPerIsolate,
    startMs: workerStartMs,
  };
}

/** A hundred and fifty times the start on an idle machine: restarting would add load to a busy one. */
const workerStartMs = 30_000;
