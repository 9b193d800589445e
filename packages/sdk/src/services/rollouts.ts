import type { CallOptions, Send } from '../client.ts';
import type { Rollout, UpdateRollout } from '../models/rollout.ts';
import { path } from '../path.ts';

/** The rollouts of one kind of resources, by the ids of these. */
export class Rollouts {
  readonly #send: Send;
  readonly #root: string;

  /** @param root e.g. `/proxies`. */
  constructor(send: Send, root: string) {
    this.#send = send;
    this.#root = root;
  }

  async retrieve(id: string, options?: CallOptions): Promise<Rollout> {
    return this.#send({ method: 'GET', path: this.#address(id) }, options);
  }

  /** Begins a rollout, or changes its share of requests. */
  async update(id: string, model: UpdateRollout, options?: CallOptions): Promise<Rollout> {
    return this.#send({ method: 'PUT', path: this.#address(id), body: model }, options);
  }

  /** Makes the version that is rolled out the present one. */
  async complete(id: string, options?: CallOptions): Promise<Rollout> {
    return this.#send({ method: 'POST', path: `${this.#address(id)}/complete` }, options);
  }

  /** Ends the rollout: everybody gets the present version. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: this.#address(id) }, options);
  }

  #address(id: string): string {
    return this.#root + path`/${id}/rollout`;
  }
}
