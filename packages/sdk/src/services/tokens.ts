import type { CallOptions, Send } from '../client.ts';
import { unconverted, pageOf, token } from '../conversion.ts';
import type { Page } from '../models/page.ts';
import type {
  CreateEncryptedToken,
  CreateToken,
  Token,
  TokenQuery,
  TokenSearch,
  UpdateToken,
} from '../models/token.ts';
import { path } from '../path.ts';

/** `data` and `metadata` are not converted. All methods reject with GloveboxApiError. */
export class Tokens {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async create<Data = unknown>(
    model: CreateToken<Data> | CreateEncryptedToken,
    options?: CallOptions,
  ): Promise<Token<Data>> {
    return this.#send(
      { method: 'POST', path: '/tokens/', body: model, sent: token, received: token },
      options,
    );
  }

  async retrieve<Data = unknown>(id: string, options?: CallOptions): Promise<Token<Data>> {
    return this.#send({ method: 'GET', path: path`/tokens/${id}`, received: token }, options);
  }

  /** Applies a merge patch (RFC 7386). */
  async update<Data = unknown>(
    id: string,
    model: UpdateToken<Data>,
    options?: CallOptions,
  ): Promise<Token<Data>> {
    return this.#send(
      { method: 'PATCH', path: path`/tokens/${id}`, body: model, sent: token, received: token },
      options,
    );
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/tokens/${id}` }, options);
  }

  async list<Data = unknown>(query?: TokenQuery, options?: CallOptions): Promise<Page<Token<Data>>> {
    return this.#send({ method: 'GET', path: '/tokens/', query, received: pageOf(token) }, options);
  }

  async search<Data = unknown>(search: TokenSearch, options?: CallOptions): Promise<Page<Token<Data>>> {
    return this.#send(
      { method: 'POST', path: '/tokens/search', body: search, sent: unconverted, received: pageOf(token) },
      options,
    );
  }

  async createAssociation(parentId: string, childId: string, options?: CallOptions): Promise<void> {
    const call = { method: 'POST', path: path`/tokens/${parentId}/children/${childId}`, body: {} } as const;
    await this.#send(call, options);
  }

  async deleteAssociation(parentId: string, childId: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/tokens/${parentId}/children/${childId}` }, options);
  }

  async createChild<Data = unknown>(
    parentId: string,
    model: CreateToken<Data> | CreateEncryptedToken,
    options?: CallOptions,
  ): Promise<Token<Data>> {
    const shape = { sent: token, received: token };
    return this.#send(
      { method: 'POST', path: path`/tokens/${parentId}/children`, body: model, ...shape },
      options,
    );
  }

  async listChildren<Data = unknown>(
    parentId: string,
    query?: TokenQuery,
    options?: CallOptions,
  ): Promise<Page<Token<Data>>> {
    return this.#send(
      { method: 'GET', path: path`/tokens/${parentId}/children`, query, received: pageOf(token) },
      options,
    );
  }
}
