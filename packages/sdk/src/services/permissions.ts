import type { CallOptions, Send } from '../client.ts';
import type { ApplicationType, Permission } from '../models/application.ts';

export class Permissions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All permissions, or those that a type of application may have. */
  async list(
    query?: { readonly applicationType?: ApplicationType | undefined },
    options?: CallOptions,
  ): Promise<Permission[]> {
    return this.#send({ method: 'GET', path: '/permissions/', query }, options);
  }
}
