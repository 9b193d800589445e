import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks functions for their callers',
  target: 'host',
  code: `
    module.exports = function () {
      const callers = [];
      function look() {
        callers.push(look.caller, look.arguments && look.arguments.callee.caller);
      }
      [1].forEach(look);
      Promise.resolve().then(look);
      require('events').prototype.emit.call({ _events: { a: look } }, 'a');
      const outside = module.exports.caller;
      return [outside === null, callers.every((caller) => caller === null || caller === undefined || caller === module.exports)];
    };`,
  expectation: { returns: [true, true] },
};
