import { expect } from 'chai';

import { type Answer, Api, type Sent } from './api.ts';
import { listAll } from './list.ts';

/** Answers pages of a list; `pages` by the query that asks for each. */
class Pages extends Api {
  readonly asked: string[] = [];
  readonly #pages: Readonly<Record<string, object>>;

  constructor(pages: Readonly<Record<string, object>>) {
    super('http://localhost', 'key');
    this.#pages = pages;
  }

  override exchange(_method: string, _path: string, { query }: Sent = {}): Promise<Answer> {
    const asked = query?.['start'] ?? query?.['page'] ?? 'first';
    this.asked.push(asked);
    return Promise.resolve({ status: 200, headers: new Headers(), text: '', json: this.#pages[asked] });
  }
}

describe('a whole list', () => {
  it('has all pages by number, and an item once that has shifted to the next page meanwhile', async () => {
    const pagination = { total_items: 4, page_size: 2, total_pages: 3 };
    const api = new Pages({
      first: { pagination: { ...pagination, page_number: 1 }, data: [{ id: 'a' }, { id: 'b' }] },
      2: { pagination: { ...pagination, page_number: 2 }, data: [{ id: 'b' }, { id: 'c' }] },
      3: { pagination: { ...pagination, page_number: 3 }, data: [{ id: 'd' }] },
    });
    const ids = (await listAll(api, '/proxies')).map(({ id }) => id);
    expect([ids, api.asked]).to.deep.equal([
      ['a', 'b', 'c', 'd'],
      ['first', '2', '3'],
    ]);
  });

  it('has all pages by cursor', async () => {
    const api = new Pages({
      first: { pagination: { page_size: 1, next: 'n', after: 'n' }, data: [{ id: 'a' }] },
      n: { pagination: { page_size: 1 }, data: [{ id: 'b' }] },
    });
    expect(await listAll(api, '/webhooks')).to.deep.equal([{ id: 'a' }, { id: 'b' }]);
  });
});
