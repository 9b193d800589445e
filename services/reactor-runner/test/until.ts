/** Waits for a condition, looking again every few milliseconds; fails after `timeoutMs` with what it was. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`within ${timeoutMs} ms it did not come to be that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
