/**
 * Takes pictures of every screen, wide and narrow, light and dark, of a console that runs:
 * `npm run console:pictures -- http://localhost:8080 "$GLOVEBOX_MANAGEMENT_KEY" FOLDER`
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Page, chromium } from 'playwright-core';

const [base = 'http://localhost:8080', key = '', folder = 'pictures'] = process.argv.slice(2);
const screens = [
  '',
  'invocations',
  'invocations/asynchronous',
  'proxies',
  'reactors',
  'formulas',
  'webhooks',
  'tokens',
  'applications',
  'members',
  'egress',
  'audit',
  'encryption-keys',
  'settings',
];
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--disable-dev-shm-usage'],
});
for (const viewport of sizes) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.goto(`${base}/console`);
  await take(page, 'sign-in');
  await page.getByLabel('Management key').fill(key);
  await page.getByRole('button', { name: 'Sign in with a management key' }).click();
  await page.getByRole('navigation').waitFor();
  const single = [
    ...(await firstProxy(page)),
    ...(await firstOf(page, 'invocations', '')),
    ...(await firstOf(page, 'applications', '?permission=token:use&container=/')),
    ...(await firstOf(page, 'webhooks', '')),
  ];
  for (const screen of [...screens, ...single]) {
    await page.goto(`${base}/console/${screen}`);
    await take(page, screen === '' ? 'home' : screen);
  }
  await page.close();
}
await browser.close();

/** Light and dark, of the page as it is. */
async function take(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  const file = name.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/[^a-z-]+/g, '_');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { width = 0 } = page.viewportSize() ?? {};
    await page.screenshot({
      path: join(folder, `${file}-${width}-${colorScheme}.png`),
      fullPage: width < 500,
    });
  }
}

/** The tabs of the first proxy, and the form for a new one. */
async function firstProxy(page: Page): Promise<readonly string[]> {
  const tabs = ['settings', 'code', 'versions', 'rollout'];
  const found = await firstOf(page, 'proxies', '');
  return [...found.flatMap((path) => tabs.map((tab) => `${path}?tab=${tab}`)), 'proxies?new'];
}

/** The path of the first row of a list, if there is one. @param query that is added to it */
async function firstOf(page: Page, list: string, query: string): Promise<readonly string[]> {
  await page.goto(`${base}/console/${list}`);
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  const link = page.locator('td a').first();
  const href = await link.getAttribute('href', { timeout: 3000 }).catch(() => null);
  return href === null ? [] : [href.replace('/console/', '') + query];
}
