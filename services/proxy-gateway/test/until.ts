/** Waits for a condition, checking it ever less often. @throws Error naming `what` after 10 s. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (let pauseMs = 5; !(await condition()); pauseMs = Math.min(1.2 * pauseMs, 30)) {
    if (Date.now() > deadline) throw new Error(`it did not come to be that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
