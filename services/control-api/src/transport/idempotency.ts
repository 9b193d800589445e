import { idempotentTransaction, scopeOf } from '@glovebox/platform/db/idempotent-transaction';
import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import { answerNotKept } from '@glovebox/platform/http/idempotency-key';
import type { FairGate } from '@glovebox/platform/values/fair-gate';

import type { Call, Reply } from '../http/call.ts';
import type { Dependencies, SharedDependencies } from '../operations/dependencies.ts';
import type { Changes } from '../publication/changes.ts';
import type { OnCheckpoint } from '../publication/checkpoints.ts';
import type { Place, Sealer } from '../secrets/sealer.ts';
import type { Route } from './route.ts';

export interface IdempotencyOptions {
  readonly postgres: TenantDatabase;
  /** A request holds a connection until it is answered: those of one tenant must not take all. */
  readonly gate: FairGate;
  readonly changes: Changes;
  readonly sealer: Sealer;
  readonly retentionMs: number;
  /** A larger answer is not stored, so it cannot be replayed. */
  readonly maxAnswerBytes: number;
  readonly clock: () => number;
  readonly onCheckpoint: OnCheckpoint;
}

/** With these dependencies, everything that an operation writes is part of one transaction. */
export type Transactional = Pick<Dependencies, 'postgres' | 'changes'>;

export interface RouteOutcome {
  readonly reply: Reply;
  /** The answer to an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The request that a key identifies. Its body does not count (contract/conventions.md#idempotency). */
export interface KeyedCall {
  readonly key: string;
  readonly method: Route['method'];
  readonly path: string;
  readonly call: Call;
}

export type RunIdempotently = (
  keyed: KeyedCall,
  work: (transaction: Transactional) => Promise<Reply>,
) => Promise<RouteOutcome>;

/** Runs an operation; with an idempotency key, at most once for that key. */
export type ExecuteRoute = (
  route: Route,
  call: Call,
  key: string | undefined,
  path: string,
) => Promise<RouteOutcome>;

export function createRouteExecutor(
  shared: SharedDependencies,
  runIdempotently: RunIdempotently,
): ExecuteRoute {
  return async ({ method, operation }, call, key, path) => {
    const dependencies = { ...shared, postgres: shared.postgres.forTenant(call.principal.tenantId) };
    const run = async (over: Dependencies): Promise<Reply> => {
      const reply = await operation(over, call);
      const { texts } = call.warnings;
      // With the warnings, so that a replayed answer has them too.
      return texts.length === 0 ? reply : { ...reply, warnings: texts };
    };
    if (key === undefined) return { reply: await run(dependencies), replayed: false };
    return runIdempotently({ key, method, path, call }, (transaction) =>
      run({ ...dependencies, ...transaction }),
    );
  };
}

/** Commits an operation together with its answer, and replays the answer for the same key. */
export function createIdempotentRunner(options: IdempotencyOptions): RunIdempotently {
  const { postgres, gate, changes, sealer, retentionMs, clock, onCheckpoint } = options;
  return async ({ key, method, path, call }, work) => {
    const { principal, correlationId } = call;
    const { tenantId, applicationId } = principal;
    const scope = scopeOf(tenantId, applicationId, method, normalized(path), key);
    const place = { tenantId, recordId: scope.toString('hex'), field: 'answer.management' };
    const transaction = () =>
      idempotentTransaction<Reply>({
        postgres: postgres.forTenant(tenantId),
        scope,
        tenantId,
        now: clock(),
        lifetimeMs: retentionMs,
        work: (transaction) => work({ postgres: transaction, changes: changes.inTransaction(transaction) }),
        keep: async (reply) => {
          const sealed = await sealReply(options, place, reply, correlationId);
          onCheckpoint('answer-sealed');
          return sealed;
        },
      });
    const outcome = await gate.run(tenantId, transaction);
    onCheckpoint('committed');
    // A replayed answer promises publication as the first one did.
    await changes.waitUntilPublished();
    if (outcome.kind === 'done') return { reply: outcome.result, replayed: false };
    if (outcome.answer === null) throw new AppError('conflict', answerNotKept);
    const [text = ''] = await sealer.open([{ place, sealed: outcome.answer }], correlationId);
    const reply: Reply = JSON.parse(text);
    return { reply, replayed: true };
  };
}

/** An address is the same with a slash at its end, and with capitals in its ids. */
function normalized(path: string): string {
  return path.replace(/\/+$/, '').toLowerCase();
}

async function sealReply(
  { sealer, maxAnswerBytes }: IdempotencyOptions,
  place: Place,
  reply: Reply,
  correlationId: string,
): Promise<Buffer | null> {
  const plaintext = JSON.stringify(reply);
  if (Buffer.byteLength(plaintext) > maxAnswerBytes) return null;
  const [sealed = null] = await sealer.seal([{ place, plaintext }], correlationId);
  return sealed;
}
