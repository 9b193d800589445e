import type { CallOptions, Send } from '../client.ts';
import { unconverted, pageOf, token } from '../conversion.ts';
import type { CursorQuery, Page } from '../models/page.ts';
import type { Token, TokenQuery } from '../models/token.ts';

/** Lists tokens by cursor. */
export class TokensV2 {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list<Data = unknown>(
    query?: Omit<TokenQuery, 'page'> & CursorQuery,
    options?: CallOptions,
  ): Promise<Page<Token<Data>>> {
    return this.#send({ method: 'GET', path: '/v2/tokens', query, received: pageOf(token) }, options);
  }

  async search<Data = unknown>(
    search: CursorQuery & { readonly query?: string | undefined },
    options?: CallOptions,
  ): Promise<Page<Token<Data>>> {
    return this.#send(
      { method: 'POST', path: '/v2/tokens/search', body: search, sent: unconverted, received: pageOf(token) },
      options,
    );
  }
}
