import type { Page } from 'playwright-core';

/** How long the page takes for so many frames that it draws one after the other, in its own milliseconds. */
export function timeOfFrames(page: Page, count: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let left = ${count};
    const since = performance.now();
    const next = () => {
      left -= 1;
      if (left < 0) resolve(performance.now() - since);
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}
