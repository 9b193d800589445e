import type { CallOptions, Send } from '../client.ts';
import { type Conversion, pageOf, versionOf } from '../conversion.ts';
import type { CursorQuery, Page } from '../models/page.ts';
import type { RestoredVersion, Version, VersionDiff } from '../models/version.ts';
import { path } from '../path.ts';
import { versionDifferences } from '../version-differences.ts';

/** The versions of one kind of resources. */
export class Versions<Definition extends object, Input> {
  readonly #send: Send;
  readonly #root: string;
  readonly #item: Conversion;
  readonly #version: Conversion;

  /** @param root e.g. `/proxies`. */
  constructor(send: Send, root: string, item: Conversion) {
    this.#send = send;
    this.#root = root;
    this.#item = item;
    this.#version = versionOf(item);
  }

  /** The newest first, by cursor. */
  async list(id: string, query?: CursorQuery, options?: CallOptions): Promise<Page<Version<Definition>>> {
    return this.#send(
      {
        method: 'GET',
        path: this.#root + path`/${id}/versions`,
        query,
        received: pageOf(this.#version),
      },
      options,
    );
  }

  async retrieve(id: string, version: number, options?: CallOptions): Promise<Version<Definition>> {
    const address = this.#root + path`/${id}/versions/${String(version)}`;
    return this.#send({ method: 'GET', path: address, received: this.#version }, options);
  }

  /** What differs between two versions. Code is a member like others, with its whole text before and after. */
  async diff(id: string, from: number, to: number, options?: CallOptions): Promise<VersionDiff> {
    const [before, after] = await Promise.all([
      this.retrieve(id, from, options),
      this.retrieve(id, to, options),
    ]);
    return { from, to, differences: versionDifferences(before, after) };
  }

  /** Stores a draft: a version that gets no requests. */
  async create(id: string, model: Input, options?: CallOptions): Promise<RestoredVersion<Definition>> {
    const shape = { sent: this.#item, received: this.#version };
    const address = this.#root + path`/${id}/versions`;
    return this.#send({ method: 'POST', path: address, body: model, ...shape }, options);
  }

  /** Makes a new version that equals this one, its configuration included. */
  async restore(id: string, version: number, options?: CallOptions): Promise<RestoredVersion<Definition>> {
    const address = this.#root + path`/${id}/versions/${String(version)}/restore`;
    return this.#send({ method: 'POST', path: address, received: this.#version }, options);
  }
}
