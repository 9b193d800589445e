import type { CallOptions, Send, SendRaw } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { Log, LogEntityType, LogPeriod, LogQuery } from '../models/log.ts';
import type { Page } from '../models/page.ts';
import { queryOf } from '../query.ts';

export class Logs {
  readonly #send: Send;
  readonly #sendRaw: SendRaw;

  constructor(send: Send, sendRaw: SendRaw) {
    this.#send = send;
    this.#sendRaw = sendRaw;
  }

  async list(query?: LogQuery, options?: CallOptions): Promise<Page<Log>> {
    return this.#send({ method: 'GET', path: '/logs/', query, received: pageOf(everything) }, options);
  }

  /**
   * All entries of a period with their proof: lines of JSON, unchanged, as `glovebox audit verify-export` reads them. The
   * text is held in memory, some 600 bytes for each entry; to write a long period to a file, request
   * `GET /logs/export` yourself.
   */
  async export(period?: LogPeriod, options: CallOptions = {}): Promise<string> {
    const request = { method: 'GET', path: '/logs/export', query: queryOf(period), headers: {} };
    return (await this.#sendRaw(request, options)).body;
  }

  /** The entity types that the log can be filtered by. */
  async listEntityTypes(options?: CallOptions): Promise<LogEntityType[]> {
    return this.#send({ method: 'GET', path: '/logs/entity-types' }, options);
  }
}
