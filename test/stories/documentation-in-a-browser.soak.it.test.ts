import { buildSite } from '@glovebox/docs-site/build-site';
import { checkout } from '@glovebox/local/places';
import type { Browser } from 'playwright-core';

import { startChromium } from '../harness/chromium.ts';
import { lookAtPages, looks } from '../harness/look-at-pages.ts';
import { sharedSystem } from '../harness/system.ts';

describe('every page of the documentation in a browser', function () {
  this.timeout(1_200_000);
  const pages = Object.entries(buildSite(checkout))
    .filter(([, { type }]) => type.startsWith('text/html'))
    .map(([path]) => path);
  let browser: Browser;
  before(async () => {
    browser = await startChromium();
  });
  after(() => browser.close());

  for (const look of looks) {
    it(`can be read by everybody, under its policy: ${look.colorScheme}, ${look.width} pixels wide`, async () => {
      await lookAtPages(browser, (await sharedSystem()).dev.base_url, pages, look);
    });
  }
});
