import type { CallOptions, Send } from '../client.ts';
import type { AuthorizeSession, Session } from '../models/session.ts';

export class Sessions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** For public applications: creates a key without permissions, until `authorize` grants some. */
  async create(options?: CallOptions): Promise<Session> {
    return this.#send({ method: 'POST', path: '/sessions/' }, options);
  }

  /** For private applications. */
  async authorize(model: AuthorizeSession, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'POST', path: '/sessions/authorize', body: model }, options);
  }
}
