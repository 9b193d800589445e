const pauseMs = 1000;

/** Prints progress to standard error, at most once a second. */
export function createProgress(): (text: string) => void {
  let told = -Infinity;
  return (text) => {
    if (performance.now() - told < pauseMs) return;
    told = performance.now();
    process.stderr.write(`${text}\n`);
  };
}
