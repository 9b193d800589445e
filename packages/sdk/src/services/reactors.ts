import type { CallOptions, Send } from '../client.ts';
import { configured, nothing } from '../conversion.ts';
import type { NamedQuery } from '../models/page.ts';
import type {
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
}
