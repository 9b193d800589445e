import type { CallOptions, Send } from '../client.ts';
import { everything } from '../conversion.ts';
import type {
  Application,
  ApplicationQuery,
  CreateApplication,
  SimulateAccessQuery,
  SimulatedAccess,
  UpdateApplication,
} from '../models/application.ts';
import { path } from '../path.ts';
import { Resource } from './resource.ts';

export class Applications extends Resource<
  Application,
  CreateApplication,
  UpdateApplication,
  ApplicationQuery
> {
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/applications', everything);
    this.#send = send;
  }

  /** The application that the API key belongs to. */
  async retrieveByKey(options?: CallOptions): Promise<Application> {
    return this.#send({ method: 'GET', path: '/applications/key' }, options);
  }

  /** An alias of `retrieveByKey`. */
  async getApplicationByKey(options?: CallOptions): Promise<Application> {
    return this.retrieveByKey(options);
  }

  /** Whether the application's keys may do something to tokens, and which rule decides. Nothing happens. */
  async simulateAccess(
    id: string,
    query: SimulateAccessQuery,
    options?: CallOptions,
  ): Promise<SimulatedAccess> {
    return this.#send({ method: 'GET', path: path`/applications/${id}/simulate-access`, query }, options);
  }

  /** The former key stops working at once. */
  async regenerateKey(id: string, options?: CallOptions): Promise<Application> {
    return this.#send({ method: 'POST', path: path`/applications/${id}/regenerate` }, options);
  }
}
