import { createHash } from 'node:crypto';

import { CallStreamClient } from '@glovebox/platform/calls/client';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  type GetReactorResult,
  type ListInvocations,
  type ReactAsync,
  type RunReactor,
  type RunTransform,
  type RunnerCall,
  type RunnerReply,
  RunnerServiceService,
} from '@glovebox/protos/runner/v1/runner';

export const gatewayToken = 'token-of-the-gateway';
export const otherToken = 'token-of-the-control-plane';
export const peers = { 'proxy-gateway': sha256(gatewayToken), 'control-api': sha256(otherToken) };

export interface CallOptions {
  readonly tenant?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly traceparent?: string;
}

export interface ToldInvocation {
  readonly id: string;
  readonly correlation_id: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly side?: string;
  readonly error?: { readonly name?: string; readonly message: string; readonly stack?: string[] };
  readonly log: readonly { readonly time: string; readonly level: string; readonly text: string }[];
}

/** The gateway's side of the Exchange stream. */
export interface Connection extends AsyncDisposable {
  /** Runs code with an argument; resolves to the result, rejects with the AppError that came back. */
  run(code: string, argument?: unknown, options?: CallOptions): Promise<unknown>;
  /** The same with the argument's text as it is. */
  runText(code: string, argument: Buffer, options?: CallOptions): Promise<string>;
  /** Invokes a published reactor; resolves to the answer, or to the request's id when the answer goes elsewhere. */
  react(call: RunReactor, options?: CallOptions): Promise<unknown>;
  /** Has it invoked later; resolves to the request's id. */
  reactAsync(call: ReactAsync, options?: CallOptions): Promise<string>;
  /** What became of that; resolves to the answer. */
  result(call: GetReactorResult): Promise<unknown>;
  /** Runs a transform of a published proxy, without saying what it replaces; resolves to the result. */
  transform(call: Omit<RunTransform, 'message'>, options?: CallOptions): Promise<unknown>;
  /** The latest invocations of code that have something to tell. */
  invocations(call: ListInvocations): Promise<ToldInvocation[]>;
}

export function connect(port: number, token = gatewayToken): Connection {
  const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token: new Secret(token) });
  const client = new CallStreamClient<RunnerCall, RunnerReply, ExchangeRequest, ExchangeResponse>({
    openStream: () => channel.stream(RunnerServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: () => 1000,
    reconnectWaitMs: 5000,
  });
  const call = async (operation: RunnerCall['operation'], options: CallOptions) => {
    const { timeoutMs = 20_000, signal, traceparent = '' } = options;
    const { outcome } = await client.call(
      { traceparent, correlationId: 'correlation-1', operation },
      { deadline: Date.now() + timeoutMs, ...(signal === undefined ? {} : { signal }) },
    );
    if (outcome?.$case === 'error') throw fromWireError(outcome.value);
    return outcome;
  };
  const runText = async (code: string, argument: Buffer, options: CallOptions = {}) => {
    const value = { tenantId: options.tenant ?? 'tenant-a', code, argument };
    const outcome = await call({ $case: 'runFunction', value }, options);
    if (outcome?.$case === 'returned') return outcome.value.result.toString();
    throw new Error('the reply has no outcome');
  };
  return {
    runText,
    async run(code, argument = {}, options = {}) {
      const text = await runText(code, Buffer.from(JSON.stringify(argument)), options);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
    async react(value, options = {}) {
      const outcome = await call({ $case: 'runReactor', value }, options);
      return outcome?.$case === 'accepted' ? outcome.value : answerOf(outcome);
    },
    async reactAsync(value, options = {}) {
      const outcome = await call({ $case: 'reactAsync', value }, options);
      if (outcome?.$case === 'accepted') return outcome.value.requestId;
      throw new Error(`the reply is ${outcome?.$case}`);
    },
    async result(value) {
      const outcome = await call({ $case: 'getReactorResult', value }, {});
      return answerOf(outcome);
    },
    async transform(value, options = {}) {
      const outcome = await call({ $case: 'runTransform', value: { ...value, message: undefined } }, options);
      if (outcome?.$case === 'returned') return JSON.parse(outcome.value.result.toString()) as unknown;
      throw new Error(`the reply is ${outcome?.$case}`);
    },
    async invocations(value) {
      const outcome = await call({ $case: 'listInvocations', value }, {});
      if (outcome?.$case === 'listed') return JSON.parse(outcome.value.json.toString()) as ToldInvocation[];
      throw new Error(`the reply is ${outcome?.$case}`);
    },
    async [Symbol.asyncDispose]() {
      await client.close(Date.now());
      channel.close();
    },
  };
}

function answerOf(outcome: RunnerReply['outcome']): unknown {
  if (outcome?.$case === 'answered') return JSON.parse(outcome.value.json.toString());
  throw new Error(`the reply is ${outcome?.$case}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
