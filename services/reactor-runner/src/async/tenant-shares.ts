/** How many invocations of each tenant are under way; none has more than its share. */
export class TenantShares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined when the tenant has its share; else disposing what it gives ends the invocation. */
  enter(tenantId: string): Disposable | undefined {
    const count = this.#counts.get(tenantId) ?? 0;
    if (count >= this.#most) return undefined;
    this.#counts.set(tenantId, count + 1);
    return { [Symbol.dispose]: () => this.#leave(tenantId) };
  }

  #leave(tenantId: string): void {
    const count = this.#counts.get(tenantId) ?? 0;
    if (count > 1) this.#counts.set(tenantId, count - 1);
    else this.#counts.delete(tenantId);
  }
}
