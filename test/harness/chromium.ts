import { join } from 'node:path';

import { debianProgram, programOnPath } from '@glovebox/local/debian-program';
import { checkout } from '@glovebox/local/places';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';

const fetchTimeoutMs = 240_000;

/** Headless Chromium: this machine's, or Debian's package. */
export async function startChromium(): Promise<Browser> {
  const program =
    (await programOnPath(['chromium'])) ??
    (await debianProgram(
      {
        name: 'chromium',
        package: 'chromium',
        path: 'usr/lib/chromium/chromium',
        versionOption: '--version',
      },
      join(checkout, '.glovebox/programs'),
      AbortSignal.timeout(fetchTimeoutMs),
    ));
  if (program === undefined) throw new Error('there is no Chromium: install the Debian package chromium');
  return chromium.launch({
    executablePath: program.command,
    env: { ...process.env, ...program.env },
    args: ['--disable-dev-shm-usage'],
  });
}

/** A page that notes what a browser complains of: violations of policies, and errors of scripts. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export async function openPage(
  browser: Browser,
  options: {
    readonly width?: number;
    readonly height?: number;
    readonly colorScheme?: 'light' | 'dark';
    /** Cookies and storage of a browser of before. */
    readonly storageState?: Awaited<ReturnType<BrowserContext['storageState']>>;
  } = {},
): Promise<WatchedPage> {
  const { width = 1440, height = 900, ...rest } = options;
  const context = await browser.newContext({ colorScheme: 'light', ...rest, viewport: { width, height } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => {
      console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
    });`,
  });
  return {
    page,
    context,
    complaints,
    async [Symbol.asyncDispose]() {
      await context.close();
    },
  };
}
