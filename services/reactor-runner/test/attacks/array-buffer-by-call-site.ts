import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "looks for the engine's own ArrayBuffer among the callers of its code",
  target: 'memory',
  code: `
    module.exports = () => {
      const found = [];
      Error.prepareStackTrace = (error, sites) => sites;
      new ArrayBuffer({
        valueOf() {
          for (const site of new Error('sites').stack.slice(1)) {
            for (const part of [site.getFunction(), site.getThis()]) if (part != null) found.push(String(part));
          }
          return 8;
        },
      });
      return found;
    };`,
  expectation: { returns: [] },
};
