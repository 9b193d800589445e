const pauseMs = 1000;

/** Tells on standard error how far something is, not more than once a second. */
export function createProgress(): (text: string) => void {
  let told = -Infinity;
  return (text) => {
    if (performance.now() - told < pauseMs) return;
    told = performance.now();
    process.stderr.write(`${text}\n`);
  };
}
