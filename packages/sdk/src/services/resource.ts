import type { CallOptions, Send } from '../client.ts';
import { type Conversion, pageOf } from '../conversion.ts';
import type { Page } from '../models/page.ts';
import { path } from '../path.ts';

/** The methods of every kind of resource. All reject with GloveboxApiError. */
export class Resource<Item, Creation, Update, Query extends object> {
  readonly #send: Send;
  readonly #root: string;
  readonly #item: Conversion;

  /** @param root e.g. `/proxies`. */
  constructor(send: Send, root: string, item: Conversion) {
    this.#send = send;
    this.#root = root;
    this.#item = item;
  }

  async create(model: Creation, options?: CallOptions): Promise<Item> {
    const shape = { sent: this.#item, received: this.#item };
    return this.#send({ method: 'POST', path: `${this.#root}/`, body: model, ...shape }, options);
  }

  async list(query?: Query, options?: CallOptions): Promise<Page<Item>> {
    return this.#send(
      { method: 'GET', path: `${this.#root}/`, query, received: pageOf(this.#item) },
      options,
    );
  }

  async retrieve(id: string, options?: CallOptions): Promise<Item> {
    return this.#send({ method: 'GET', path: this.#root + path`/${id}`, received: this.#item }, options);
  }

  async update(id: string, model: Update, options?: CallOptions): Promise<Item> {
    const shape = { sent: this.#item, received: this.#item };
    return this.#send({ method: 'PUT', path: this.#root + path`/${id}`, body: model, ...shape }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: this.#root + path`/${id}` }, options);
  }
}

/** Resources that can be patched. */
export class PatchableResource<
  Item,
  Creation,
  Update,
  Patch extends object,
  Query extends object,
> extends Resource<Item, Creation, Update, Query> {
  readonly #send: Send;
  readonly #root: string;
  readonly #item: Conversion;

  constructor(send: Send, root: string, item: Conversion) {
    super(send, root, item);
    this.#send = send;
    this.#root = root;
    this.#item = item;
  }

  /** Applies a merge patch (RFC 7396): null removes. Resolves to an empty object. */
  async patch(id: string, model: Patch, options?: CallOptions): Promise<object> {
    return this.#send(
      { method: 'PATCH', path: this.#root + path`/${id}`, body: model, sent: this.#item },
      options,
    );
  }
}
