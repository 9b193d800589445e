const pauseMs = 1000;

/** Prints progress to standard error, at most once a second. */
export function createProgress(): (text: string) => void {
  let printedAt = -Infinity;
  return (text) => {
    if (performance.now() - printedAt < pauseMs) return;
    printedAt = performance.now();
    process.stderr.write(`${text}\n`);
  };
}
