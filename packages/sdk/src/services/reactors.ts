import type { CallOptions, DryRunOptions, Send } from '../client.ts';
import { configured, trial, unconverted } from '../conversion.ts';
import type { DryRun } from '../models/dry-run.ts';
import type { InvocationList, InvocationQuery } from '../models/invocation.ts';
import type { NamedQuery } from '../models/page.ts';
import type {
  AsyncReactResponse,
  CreateReactor,
  PatchReactor,
  ReactRequest,
  ReactResponse,
  Reactor,
  UpdateReactor,
} from '../models/reactor.ts';
import type { TrialResult, TryFormula } from '../models/trial.ts';
import type { ReactorDefinition } from '../models/version.ts';
import { path } from '../path.ts';
import { PatchableResource } from './resource.ts';
import { Rollouts } from './rollouts.ts';
import { Versions } from './versions.ts';

/** `configuration` is not converted. */
export class Reactors extends PatchableResource<
  Reactor,
  CreateReactor,
  UpdateReactor,
  PatchReactor,
  NamedQuery
> {
  readonly versions: Versions<ReactorDefinition, UpdateReactor>;
  readonly rollouts: Rollouts;
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/reactors', configured);
    this.versions = new Versions(send, '/reactors', configured);
    this.rollouts = new Rollouts(send, '/reactors');
    this.#send = send;
  }

  /** Runs code of a reactor once, and stores nothing. Neither the event nor the result is converted. */
  async try(model: TryFormula, options?: CallOptions): Promise<TrialResult> {
    const shape = { sent: trial, received: trial };
    return this.#send({ method: 'POST', path: '/reactor-formulas/try', body: model, ...shape }, options);
  }

  /** Invokes a reactor. Neither the request nor the result is converted. */
  react(id: string, request: ReactRequest | undefined, options: DryRunOptions): Promise<DryRun>;
  react(id: string, request?: ReactRequest, options?: CallOptions): Promise<ReactResponse>;
  async react(
    id: string,
    request: ReactRequest = {},
    options?: CallOptions,
  ): Promise<ReactResponse | DryRun> {
    const shape = { sent: unconverted, received: unconverted };
    return this.#send(
      { method: 'POST', path: path`/reactors/${id}/react`, body: request, ...shape },
      options,
    );
  }

  /** Invokes a reactor asynchronously; the result is fetched later. */
  async reactAsync(
    id: string,
    request: Pick<ReactRequest, 'args'> = {},
    options?: CallOptions,
  ): Promise<AsyncReactResponse> {
    const shape = { sent: unconverted, received: unconverted };
    return this.#send(
      { method: 'POST', path: path`/reactors/${id}/react-async`, body: request, ...shape },
      options,
    );
  }

  /** The result that `react` would have returned. Rejects with a 404 until there is one. */
  async retrieveResult(id: string, requestId: string, options?: CallOptions): Promise<ReactResponse> {
    return this.#send(
      { method: 'GET', path: path`/reactors/${id}/results/${requestId}`, received: unconverted },
      options,
    );
  }

  /** For applications that may read every token in plaintext. */
  async listInvocations(id: string, query?: InvocationQuery, options?: CallOptions): Promise<InvocationList> {
    return this.#send({ method: 'GET', path: path`/reactors/${id}/invocations`, query }, options);
  }
}
