import type { CallOptions, Send } from '../client.ts';
import type { ApplicationKey } from '../models/application.ts';
import { path } from '../path.ts';

export class ApplicationKeys {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The only response with the key itself. */
  async create(applicationId: string, options?: CallOptions): Promise<ApplicationKey> {
    return this.#send({ method: 'POST', path: path`/applications/${applicationId}/keys` }, options);
  }

  /** All keys of an application. */
  async get(applicationId: string, options?: CallOptions): Promise<ApplicationKey[]> {
    return this.#send({ method: 'GET', path: path`/applications/${applicationId}/keys` }, options);
  }

  async getById(applicationId: string, keyId: string, options?: CallOptions): Promise<ApplicationKey> {
    return this.#send({ method: 'GET', path: path`/applications/${applicationId}/keys/${keyId}` }, options);
  }

  async delete(applicationId: string, keyId: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/applications/${applicationId}/keys/${keyId}` }, options);
  }
}
