import type { Principal } from '@glovebox/access/principal';
import type { InboundCall } from '@glovebox/platform/calls/server';
import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import {
  type Context,
  type Span,
  SpanKind,
  context,
  contextOf,
  failSpan,
  isSampled,
  startSpan,
} from '@glovebox/platform/telemetry/tracing';
import type { VaultCall, VaultReply } from '@glovebox/protos/vault/v1/vault';

import { auditText } from '../audit/audit-entry.ts';

export type Outcome = NonNullable<VaultReply['outcome']>;
export type OperationName = NonNullable<VaultCall['operation']>['$case'] | 'unknown';

/** One call of a frame until it is answered. It has a span when its trace is sampled. */
export class OpenCall {
  readonly message: VaultCall;
  readonly operation: OperationName;
  /** Undefined unless the trace is sampled. */
  readonly context: Context | undefined;
  readonly #inbound: InboundCall<VaultCall, VaultReply>;
  readonly #onAnswered: (error: AppError | undefined) => void;
  readonly #span: Span | undefined;
  #replayed = false;

  constructor(
    inbound: InboundCall<VaultCall, VaultReply>,
    onAnswered: (error: AppError | undefined) => void,
  ) {
    this.#inbound = inbound;
    this.#onAnswered = onAnswered;
    this.message = inbound.call;
    this.operation = this.message.operation?.$case ?? 'unknown';
    if (this.message.traceparent === '') return;
    const parent = contextOf(this.message.traceparent);
    if (!isSampled(parent)) return;
    const traced = startSpan(`vault.${this.operation}`, { kind: SpanKind.SERVER }, parent);
    this.#span = traced.span;
    this.context = traced.context;
  }

  get correlationId(): string | null {
    return auditText(this.message.correlationId);
  }

  get clientAddress(): string | null {
    return auditText(this.message.clientAddress ?? '');
  }

  /** Why the caller no longer waits for the answer; undefined while it does. */
  get abandoned(): AppError | undefined {
    if (this.#inbound.cancelled) return new AppError('cancelled', 'The request was cancelled.');
    if (Date.now() < this.#inbound.deadline) return undefined;
    return new AppError('deadline_exceeded', 'The request took too long.');
  }

  /** Marks the coming outcome as the replayed answer of an earlier call. */
  markReplayed(): void {
    this.#replayed = true;
  }

  succeed(outcome: Outcome): void {
    this.#settle(outcome, undefined);
  }

  fail(thrown: unknown): void {
    const error = toAppError(thrown);
    if (this.#span !== undefined) failSpan(this.#span, error);
    this.#settle({ $case: 'error', value: toWireError(error) }, error);
  }

  #settle(outcome: Outcome, error: AppError | undefined): void {
    this.#span?.end();
    this.#onAnswered(error);
    this.#inbound.reply({ id: this.message.id, outcome, replayed: this.#replayed });
  }
}

export interface IdentifiedCall {
  readonly call: OpenCall;
  readonly caller: Principal;
}

/** Runs `work` as part of the call's trace, if the trace is sampled. */
export function withContext<T>(parent: Context | undefined, work: () => Promise<T>): Promise<T> {
  return parent === undefined ? work() : context.with(parent, work);
}
