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
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(`${base}/console`);
    await take(page, 'sign-in', viewport.width, colorScheme);
    await page.getByLabel('Management key').fill(key);
    await page.getByRole('button', { name: 'Sign in with a management key' }).click();
    await page.getByRole('navigation').waitFor();
    for (const screen of [
      ...screens,
      ...(await firstProxy(page)),
      ...(await firstApplication(page)),
      ...(await firstWebhook(page)),
    ]) {
      await page.goto(`${base}/console/${screen}`);
      await take(page, screen === '' ? 'home' : screen, viewport.width, colorScheme);
    }
    await page.close();
  }
}
await browser.close();

async function take(page: Page, name: string, width: number, scheme: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  const file = name.replaceAll(/[^a-z-]+/g, '_');
  await page.screenshot({ path: join(folder, `${file}-${width}-${scheme}.png`) });
}

/** The tabs of the first proxy, if there is one. */
async function firstProxy(page: Page): Promise<readonly string[]> {
  const path = await firstOf(page, 'proxies');
  const tabs = ['settings', 'code', 'versions', 'rollout'];
  return path === undefined ? [] : tabs.map((tab) => `${path}?tab=${tab}`);
}

async function firstApplication(page: Page): Promise<readonly string[]> {
  const path = await firstOf(page, 'applications');
  return path === undefined ? [] : [`${path}?permission=token:use&container=/`];
}

async function firstWebhook(page: Page): Promise<readonly string[]> {
  const path = await firstOf(page, 'webhooks');
  return path === undefined ? [] : [path];
}

/** The path of the first row of a list. */
async function firstOf(page: Page, list: string): Promise<string | undefined> {
  await page.goto(`${base}/console/${list}`);
  await page.waitForLoadState('networkidle');
  const href = await page
    .locator('td a')
    .first()
    .getAttribute('href', { timeout: 1000 })
    .catch(() => null);
  return href?.replace('/console/', '');
}
