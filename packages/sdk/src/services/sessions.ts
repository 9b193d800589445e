import type { CallOptions, Send } from '../client.ts';
import type { AuthorizeSession, Session } from '../models/session.ts';

export class Sessions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** For a public application: a key that may do nothing until it is authorised. */
  async create(options?: CallOptions): Promise<Session> {
    return this.#send({ method: 'POST', path: '/sessions/' }, options);
  }

  /** For a private application. */
  async authorize(model: AuthorizeSession, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'POST', path: '/sessions/authorize', body: model }, options);
  }
}
