import type { CallOptions, Send } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { Log, LogQuery } from '../models/log.ts';
import type { Page } from '../models/page.ts';

export class Logs {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(query?: LogQuery, options?: CallOptions): Promise<Page<Log>> {
    return this.#send({ method: 'GET', path: '/logs/', query, received: pageOf(everything) }, options);
  }
}
