import { AppError } from '@glovebox/platform/errors/app-error';

import type { TokenSource } from '../../src/people/token-source.ts';

interface FakeToken {
  readonly id: string;
  readonly container: string;
  readonly masked: unknown;
  readonly plain: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** In place of the vault: some tokens, and what was asked for. */
export class FakeTokens implements TokenSource {
  readonly asked: (readonly unknown[])[] = [];
  readonly #tokens: readonly FakeToken[];

  constructor(tokens: readonly FakeToken[]) {
    this.#tokens = tokens;
  }

  list: TokenSource['list'] = async (viewer, masks, query) => {
    this.asked.push(['list', viewer.userId, masks, query]);
    const wanted = new URLSearchParams(query);
    const data = this.#tokens
      .filter(({ id }) => !wanted.has('id') || wanted.get('id') === id)
      .filter(({ container }) => container.startsWith(wanted.get('container') ?? '/'))
      .map((token) => this.#attributes(token, masks));
    return JSON.stringify({ pagination: { page_size: 20 }, data });
  };

  containersBelow: TokenSource['containersBelow'] = async (_tenantId, parent) => {
    const below = this.#tokens
      .filter(({ container }) => container.startsWith(parent) && container !== parent)
      .map(({ container }) => `${parent}${container.slice(parent.length).split('/')[0] ?? ''}/`);
    return { containers: [...new Set(below)], more: false };
  };

  reveal: TokenSource['reveal'] = async (viewer, tokenId, reason) => {
    this.asked.push(['reveal', viewer.userId, tokenId, reason]);
    const token = this.#tokens.find(({ id }) => id === tokenId);
    if (token === undefined) throw new AppError('not_found', 'There is no such token.');
    return `${JSON.stringify(this.#attributes(token)).slice(0, -1)},"data":${token.plain}}`;
  };

  #attributes({ id, container, metadata, masked }: FakeToken, masks = false): object {
    return {
      id,
      type: 'token',
      containers: [container],
      metadata,
      search_indexes: [],
      data: masks ? masked : undefined,
      created_by: '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52',
      created_at: '2026-11-01T10:00:00.000Z',
    };
  }
}
