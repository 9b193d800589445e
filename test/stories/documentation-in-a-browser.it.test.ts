import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect } from 'chai';
import type { Browser } from 'playwright-core';

import { openPage, startChromium } from '../harness/chromium.ts';
import { sharedSystem } from '../harness/system.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One of each kind: guides, pictures, tables, code, lists of operations. */
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

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

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
      await using watched = await openPage(browser, look);
      const elsewhere: string[] = [];
      watched.page.on('request', (request) => {
        if (!request.url().startsWith(base)) elsewhere.push(request.url());
      });
      const problems: string[] = [];
      for (const path of pages) {
        const response = await watched.page.goto(base + path);
        expect(response?.status(), path).to.equal(200);
        await watched.page.evaluate(axe);
        const found = await watched.page.evaluate(
          `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
            violations
              .filter(({ impact }) => impact === 'serious' || impact === 'critical')
              .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 2).map(({ html }) => html).join(' ')))`,
        );
        problems.push(...(found as string[]).map((problem) => `${path} ${problem}`));
        const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        if ((await watched.page.evaluate(isTooWide)) === true) problems.push(`${path} is too wide`);
      }
      expect(problems).to.deep.equal([]);
      expect(watched.complaints).to.deep.equal([]);
      expect(elsewhere).to.deep.equal([]);
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
