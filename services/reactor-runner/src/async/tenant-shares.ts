/** Limits the concurrent invocations of each tenant. */
export class TenantShares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an invocation until the result is disposed. Undefined at the limit. */
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
