import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'takes functions from the frames that wait for it',
  target: 'host',
  code: `
    module.exports = async () => {
      Error.prepareStackTrace = (error, sites) => sites;
      await null;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return new Error('sites').stack
        .filter((site) => site.getFileName() !== 'main.js')
        .flatMap((site) => [site.getFunction(), site.getThis()])
        .filter((part) => part != null)
        .map(String);
    };`,
  expectation: { returns: [] },
};
