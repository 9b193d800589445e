type HostFunction = (...args: unknown[]) => unknown;

/**
 * Makes what wraps a function of the host: an error of the host shows where its files are, which happens when user code
 * has left it too little of the stack to catch its own. Only the words of it pass.
 */
export function makeGuardHost(): (host: HostFunction) => HostFunction {
  const { apply } = Reflect;
  const { Error, RangeError, TypeError } = globalThis;

  function bare(thrown: unknown): Error {
    if (thrown instanceof RangeError) return new RangeError(thrown.message);
    if (thrown instanceof TypeError) return new TypeError(thrown.message);
    return new Error(thrown instanceof Error ? thrown.message : 'The operation failed.');
  }

  return (host) =>
    (...args) => {
      try {
        return apply(host, undefined, args);
      } catch (thrown) {
        throw bare(thrown);
      }
    };
}
