import type { CallOptions, Send } from '../client.ts';
import type { ApplicationTemplate } from '../models/application.ts';
import { path } from '../path.ts';

export class ApplicationTemplates {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(options?: CallOptions): Promise<ApplicationTemplate[]> {
    return this.#send({ method: 'GET', path: '/application-templates/' }, options);
  }

  async retrieve(id: string, options?: CallOptions): Promise<ApplicationTemplate> {
    return this.#send({ method: 'GET', path: path`/application-templates/${id}` }, options);
  }
}
