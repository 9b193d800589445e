import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/**
 * What axe finds serious or critical.
 * @param rules all of them unless given
 * @param within a part of the page, where the rest was looked at before
 */
export async function findings(
  page: Page,
  rules?: readonly string[],
  within = 'html',
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  return page.evaluate(
    async ({ only, part }) => {
      const run = (
        globalThis as unknown as { axe: { run(part: string, options: object): Promise<AxeResults> } }
      ).axe;
      const { violations } = await run.run(part, {
        resultTypes: ['violations'],
        ...(only === undefined ? {} : { runOnly: only }),
      });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    { only: rules, part: within },
  );
}
