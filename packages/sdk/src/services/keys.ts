import type { CallOptions, Send } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { CreateKey, Key } from '../models/key.ts';
import type { Page, PageQuery } from '../models/page.ts';
import { path } from '../path.ts';

/** Keys to which clients encrypt data that only the service can decrypt. */
export class Keys {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async create(model: CreateKey = {}, options?: CallOptions): Promise<Key> {
    return this.#send({ method: 'POST', path: '/keys', body: model }, options);
  }

  async list(query?: PageQuery, options?: CallOptions): Promise<Page<Key>> {
    return this.#send({ method: 'GET', path: '/keys', query, received: pageOf(everything) }, options);
  }

  async retrieve(id: string, options?: CallOptions): Promise<Key> {
    return this.#send({ method: 'GET', path: path`/keys/${id}` }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/keys/${id}` }, options);
  }
}
