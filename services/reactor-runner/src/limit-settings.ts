import { expressionBounds, expressionLimitSettings } from '@glovebox/expressions/limits';
import { integer, integers } from '@glovebox/platform/settings/builders';
import { codeLength } from '@glovebox/platform/settings/common-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';

const mebibyte = 1024 * 1024;

/** What one run of user code may have, and one tenant. The numbers are bounds of the runner's own machinery. */
export const limitSettings = {
  wallMs: integer('MAX_RUN_MS', 'Wall time of one run', { default: 30_000, min: 10, max: 600_000 }),
  cpuMs: integer('MAX_RUN_CPU_MS', 'Processor time of one run', { default: 2000, min: 10, max: 600_000 }),
  // What a module does as it is loaded to see whether it can be stored: control-api waits for it.
  loadMs: 2000,
  isolateMemoryMb: integer('ISOLATE_MEMORY_MB', 'V8 heap and buffers of one isolate, in MB', {
    default: 128,
    min: 8,
    max: 2048,
  }),
  workerMemoryMb: integer('WORKER_MEMORY_MB', 'All memory of one worker process, in MB', {
    default: 512,
    min: 128,
    max: 16_384,
  }),
  codeLength,
  // The argument and the result of a run as JSON, the result in UTF-16 code units. A message between services holds 7 MiB at most.
  argumentBytes: 2 * mebibyte,
  resultLength: 2 * mebibyte,
  // Runs in one worker that wait for something, e.g. a timer: each holds its context in the isolate's memory.
  suspendedPerWorker: 32,
  // Memory that V8 never gives back is gone with the isolate.
  runsPerIsolate: 50_000,
  callsPerTenant: integer('MAX_CALLS_PER_TENANT', 'Running and waiting runs of one tenant', {
    default: 1000,
    min: 1,
    max: 100_000,
  }),
  // Arguments that wait for a worker, of all tenants: a part of what the pod's memory limit leaves (deploy/k8s).
  queuedBytes: 64 * mebibyte,
  // Of what one run logs, in UTF-16 code units: it is sealed and kept in Redis.
  logLength: 32 * 1024,
  logLines: 1000,
  // Calls by `bt` that one run has under way; more wait in the code's own memory.
  btRequestsAtOnce: 32,
  // By one run in all.
  btRequestsPerCall: 1000,
  // Of one call by `bt`, and of its answer: as long as an argument.
  btRequestBytes: 2 * mebibyte,
  // Of one tenant's code, under way: a small part of MAX_CALLS_IN_FLIGHT. More are a 429.
  btRequestsPerTenant: 512,
  btRequestBytesPerTenant: 8 * mebibyte,
  // Levels of reactors that invoke reactors; one more is a 422.
  reactDepth: 3,
  expressions: { ...integers(expressionLimitSettings), ...expressionBounds },
};

export type Limits = SettingsOf<typeof limitSettings>;

/** Of asynchronous invocations. */
export const asyncSettings = {
  workers: integer(
    'ASYNC_WORKERS',
    'Worker processes for asynchronous invocations, beside `WORKERS`; they start with the first invocation',
    { default: 2, min: 1, max: 16 },
  ),
  wallMs: integer('MAX_ASYNC_RUN_MS', 'Wall time of one asynchronous run', {
    default: 300_000,
    min: 10,
    max: 3_600_000,
  }),
  // That this runner has under way: enough to fill its workers while runs wait.
  atOnce: 32,
  atOncePerTenant: integer('MAX_ASYNC_RUNS_PER_TENANT', 'Asynchronous runs of one tenant in one runner', {
    default: 8,
    min: 1,
    max: 1000,
  }),
  // A runner that has been silent for this long is taken for dead, and another one takes over its invocations.
  lockMs: 15_000,
  limits: {
    // Without an outcome, of all tenants together; more are a 503. Ten tenants at their limit.
    open: 10_000,
    openPerTenant: integer(
      'MAX_ASYNC_OPEN_PER_TENANT',
      'Asynchronous invocations of one tenant without a result; more are a 429',
      { default: 1000, min: 1, max: 1_000_000 },
    ),
    keptBytesPerTenant: integer(
      'MAX_ASYNC_KEPT_BYTES',
      'Sealed arguments and results that are kept of one tenant; more are a 429',
      { default: 256 * mebibyte, min: 1024, max: 65_536 * mebibyte },
    ),
    lifeMs: integer(
      'ASYNC_RESULT_TTL_MS',
      'How long a result is kept, and how long an invocation may take to get one',
      { default: 86_400_000, min: 1000, max: 2_592_000_000 },
    ),
  },
};

/** Of events to webhooks, and of results to callbacks. */
export const deliverySettings = {
  // That this runner has under way.
  atOnce: 64,
  atOncePerEndpoint: integer(
    'MAX_DELIVERIES_PER_ENDPOINT',
    'Deliveries to one endpoint at once; an endpoint that fails gets one',
    { default: 4, min: 1, max: 1000 },
  ),
  // For the whole answer, as receivers of webhooks are used to.
  timeoutMs: 10_000,
  // Ten further attempts after the first, each pause twice as long as the one before, take some two and a half hours.
  attempts: 11,
  firstPauseMs: 9000,
  limits: {
    open: integer(
      'MAX_DELIVERIES_OPEN',
      'Waiting deliveries; more are dropped and counted. Each takes 5 KB of Redis at most: 100 MB',
      { default: 20_000, min: 1, max: 10_000_000 },
    ),
    // 25 MB of a tenant.
    openPerEndpoint: 1000,
  },
};
