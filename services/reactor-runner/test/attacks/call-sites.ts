import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'takes functions and objects from the frames of its callers',
  target: 'host',
  code: `
    module.exports = () => {
      const found = [];
      Error.stackTraceLimit = Infinity;
      Error.prepareStackTrace = (error, sites) => sites;
      const look = (strange) => {
        for (const site of new Error('sites').stack) {
          if (site.getFileName() === 'main.js') continue;
          for (const part of [site.getFunction(), site.getThis(), site.getEvalOrigin()]) if (part != null) found.push(String(part));
          if (/\\.ts|\\/|worker|file:/.test(String(site.getFileName()).replace(/^node:[a-z_/]+$/, ''))) found.push(site.getFileName());
        }
        return strange;
      };
      look();
      [1].map(function () { look(); });
      JSON.stringify({ toJSON: look });
      new Promise(look);
      Reflect.apply(look, null, []);
      require('util').inspect({ [require('util').inspect.custom]: look });
      new (require('events'))().on('a', look).emit('a');
      return found;
    };`,
  expectation: { returns: [] },
};
