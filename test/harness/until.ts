/** Waits for a condition, looking again ever less often; fails after `timeoutMs` with what it was. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 5; !(await condition()); pauseMs = Math.min(1.2 * pauseMs, 30)) {
    if (Date.now() > deadline) throw new Error(`within ${timeoutMs} ms it did not come to be that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
