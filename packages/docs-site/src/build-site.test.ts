import { fileURLToPath } from 'node:url';

import { readOpenApiDocument } from '@glovebox/openapi/document';
import { methods } from '@glovebox/openapi/openapi-document';
import { expect } from 'chai';
import MiniSearch from 'minisearch';

import { buildSite } from './build-site.ts';
import { searchOptions } from './search-index.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

describe('the documentation site', () => {
  const site = buildSite(checkout);
  const pages = Object.entries(site).filter(([, { type }]) => type.startsWith('text/html'));
  const elsewhere = /^(?:[a-z]+:|\/openapi\.json|\/docs\/try)/;

  it('has no link that leads nowhere, to a page or to a place in one', () => {
    const dead = pages.flatMap(([address, { text }]) =>
      [...text.matchAll(/ href="([^"]+)"/g)].flatMap(([, href = '']) => {
        const [path = '', anchor] = href.split('#');
        if (elsewhere.test(path)) return [];
        const target = site[path === '' ? address : path];
        const isThere = target !== undefined && (!anchor || target.text.includes(`id="${anchor}"`));
        return isThere ? [] : [`${address}: ${href}`];
      }),
    );
    expect(dead).to.deep.equal([]);
  });

  it('has every picture that a page shows', () => {
    const shown = pages.flatMap(([, { text }]) => [...text.matchAll(/<img src="([^"]+)"/g)]);
    expect(shown).to.have.length.above(12);
    for (const [, source = ''] of shown) expect(site[source]?.type, source).to.equal('image/svg+xml');
  });

  it('has a section for every operation of the API, and lists each by task', () => {
    const { paths } = readOpenApiDocument();
    const all = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
    const overview = site['/docs/api']?.text ?? '';
    const missing = all.filter(({ operationId }) => {
      const isShown = pages.some(([, { text }]) => text.includes(`<h2 id="${operationId}">`));
      return !isShown || !overview.includes(`#${operationId}"`);
    });
    expect(missing).to.deep.equal([]);
  });

  it('names the file above a block that is to be saved', () => {
    expect(site['/docs/start/charge']?.text).to.match(/<p class="file"><code>bank\.mjs<\/code><\/p>\s*<pre/);
  });

  it('has no script, style or handler within a page', () => {
    for (const [address, { text }] of pages)
      expect(text, address).to.not.match(/<script>|<style|<[^>]+\s(?:style|on[a-z]+)=/);
  });

  it('finds filters, permissions and statuses', () => {
    const index = MiniSearch.loadJSON(site['/docs/assets/search.json']?.text ?? '', {
      ...searchOptions,
      fields: [...searchOptions.fields],
      storeFields: [...searchOptions.storeFields],
      tokenize: (text) => text.split(/[^\p{L}\p{N}_:]+/u).filter(Boolean),
    });
    const found = (query: string) => index.search(query).map(({ id }) => String(id).split('#')[0]);
    expect(found('reveal_last').slice(0, 5)).to.include('/docs/filters');
    expect(found('token:use').slice(0, 10)).to.include('/docs/contract/tenants');
    expect(found('408')).to.include('/docs/errors');
  });
});
