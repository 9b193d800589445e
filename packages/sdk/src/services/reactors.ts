import type { CallOptions, Send } from '../client.ts';
import { configured, nothing } from '../conversion.ts';
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
import { path } from '../path.ts';
import { PatchableResource } from './resource.ts';

/** `configuration` of reactors passes unconverted. */
export class Reactors extends PatchableResource<
  Reactor,
  CreateReactor,
  UpdateReactor,
  PatchReactor,
  NamedQuery
> {
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/reactors', configured);
    this.#send = send;
  }

  /** Invokes a reactor; neither what is sent nor what comes back is converted. */
  async react(id: string, request: ReactRequest = {}, options?: CallOptions): Promise<ReactResponse> {
    const shape = { sent: nothing, received: nothing };
    return this.#send(
      { method: 'POST', path: path`/reactors/${id}/react`, body: request, ...shape },
      options,
    );
  }

  /** Invokes it, and leaves the result to be fetched. */
  async reactAsync(
    id: string,
    request: Pick<ReactRequest, 'args'> = {},
    options?: CallOptions,
  ): Promise<AsyncReactResponse> {
    const shape = { sent: nothing, received: nothing };
    return this.#send(
      { method: 'POST', path: path`/reactors/${id}/react-async`, body: request, ...shape },
      options,
    );
  }

  /** What `react` would have given; rejects with a 404 until there is one. */
  async retrieveResult(id: string, requestId: string, options?: CallOptions): Promise<ReactResponse> {
    return this.#send(
      { method: 'GET', path: path`/reactors/${id}/results/${requestId}`, received: nothing },
      options,
    );
  }

  /** For applications that may read every token in plain. */
  async listInvocations(id: string, query?: InvocationQuery, options?: CallOptions): Promise<InvocationList> {
    return this.#send({ method: 'GET', path: path`/reactors/${id}/invocations`, query }, options);
  }
}
