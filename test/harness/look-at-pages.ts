import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect } from 'chai';
import type { Browser } from 'playwright-core';

import { openPage } from './chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** In both, pages have to be readable by everybody. */
export const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

/** Opens each page of the documentation, and fails for what not everybody can read, for scripts and requests that its policy forbids. */
export async function lookAtPages(
  browser: Browser,
  base: string,
  paths: readonly string[],
  look: (typeof looks)[number],
): Promise<void> {
  await using watched = await openPage(browser, look);
  const { page, complaints } = watched;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) elsewhere.push(request.url());
  });
  const problems: string[] = [];
  for (const path of paths) {
    const response = await page.goto(base + path);
    expect(response?.status(), path).to.equal(200);
    await page.evaluate(axe);
    const found = await page.evaluate(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
        violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 2).map(({ html }) => html).join(' ')))`,
    );
    problems.push(...(found as string[]).map((problem) => `${path} ${problem}`));
    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    if ((await page.evaluate(isTooWide)) === true) problems.push(`${path} is too wide`);
  }
  expect(problems).to.deep.equal([]);
  expect(complaints).to.deep.equal([]);
  expect(elsewhere).to.deep.equal([]);
}
