import type { CallOptions, Send } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { Log, LogEntityType, LogQuery } from '../models/log.ts';
import type { Page } from '../models/page.ts';

export class Logs {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(query?: LogQuery, options?: CallOptions): Promise<Page<Log>> {
    return this.#send({ method: 'GET', path: '/logs/', query, received: pageOf(everything) }, options);
  }

  /** The entity types that the log can be filtered by. */
  async listEntityTypes(options?: CallOptions): Promise<LogEntityType[]> {
    return this.#send({ method: 'GET', path: '/logs/entity-types' }, options);
  }
}
