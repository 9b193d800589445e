/** Waits for a condition, checking it every few milliseconds. @throws Error naming `what` after 10 s. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it did not come to be that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
