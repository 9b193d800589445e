/** `performance` of Node.js 16, as far as it is a clock: of the process around the isolate it tells nothing. */
export function makePerformance(): object {
  const timeOrigin = Date.now();
  class Performance {
    get timeOrigin(): number {
      return timeOrigin;
    }
    now(): number {
      return Date.now() - timeOrigin;
    }
    toJSON(): object {
      return { timeOrigin };
    }
  }
  return new Performance();
}
