import { Semaphore } from './semaphore.ts';

/** Lets some pieces of work run at once, but only one of each tenant: who asks much waits for himself. */
export class FairGate {
  readonly #all: Semaphore;
  readonly #tenants = new Map<string, { readonly turn: Semaphore; users: number }>();

  constructor(limit: number) {
    this.#all = new Semaphore(limit);
  }

  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const tenant = this.#tenants.get(tenantId) ?? { turn: new Semaphore(1), users: 0 };
    this.#tenants.set(tenantId, tenant);
    tenant.users += 1;
    try {
      return await tenant.turn.run(() => this.#all.run(work));
    } finally {
      tenant.users -= 1;
      if (tenant.users === 0) this.#tenants.delete(tenantId);
    }
  }
}
