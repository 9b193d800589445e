import type { CallOptions, Send } from '../client.ts';
import type { ApplicationType, Permission } from '../models/application.ts';
import type { Role } from '../models/tenant.ts';

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

  /** The roles that members of a tenant may have, the one that may do most first. */
  async listRoles(options?: CallOptions): Promise<Role[]> {
    return this.#send({ method: 'GET', path: '/roles' }, options);
  }
}
