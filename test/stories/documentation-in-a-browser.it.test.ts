import { expect } from 'chai';
import type { Browser } from 'playwright-core';

import { openPage, startChromium } from '../harness/chromium.ts';
import { lookAtPages, looks } from '../harness/look-at-pages.ts';
import { sharedSystem } from '../harness/system.ts';

/** One of each kind: guides, pictures, tables, code, lists of operations. A soak looks at all of them. */
const pages = [
  '/docs',
  '/docs/start/charge',
  '/docs/concepts/rule',
  '/docs/cookbook/stripe',
  '/docs/compare',
  '/docs/code',
  '/docs/contract/versions',
  '/docs/api/webhooks',
  '/docs/errors',
];

describe('the documentation in a browser', function () {
  this.timeout(300_000);
  let browser: Browser;
  let base: string;
  before(async () => {
    base = (await sharedSystem()).dev.base_url;
    browser = await startChromium();
  });
  after(() => browser.close());

  for (const look of looks) {
    it(`can be read by everybody, under its policy: ${look.colorScheme}, ${look.width} pixels wide`, async () => {
      await lookAtPages(browser, base, pages, look);
    });
  }

  it('has a picture on the page of a concept', async () => {
    await using watched = await openPage(browser);
    await watched.page.goto(`${base}/docs/concepts/rule`);
    expect(await watched.page.evaluate("document.querySelector('main img').naturalWidth")).to.be.above(300);
  });

  it('finds filters, permissions and statuses by its search, which a key opens', async () => {
    await using watched = await openPage(browser);
    await watched.page.goto(`${base}/docs`);
    const found = async (query: string) => {
      await watched.page.keyboard.press('Escape');
      await watched.page.locator('#query').fill(query);
      const links = watched.page.locator('#results a');
      await links.first().waitFor();
      return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    };
    await watched.page.keyboard.press('/');
    expect(await watched.page.evaluate('document.activeElement.id')).to.equal('query');
    expect(await found('reveal_last')).to.include('/docs/filters#reveal_last');
    expect((await found('token:use')).join()).to.match(/\/docs\/(?:contract\/tenants|concepts)/);
    expect((await found('408')).join()).to.include('/docs/errors');
    expect(watched.complaints).to.deep.equal([]);
  });
});
