import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks the constructors of all that it is given for their global object',
  target: 'host',
  code: `
    module.exports = function (req) {
      const given = [this, req, arguments, require, module, exports, module.exports, __filename, console.log, process, Buffer.from('a'), async () => {}, function* () {}];
      const worlds = given.map((value) => {
        let { constructor } = Object(value === undefined ? 1 : value);
        while (constructor !== constructor.constructor) constructor = constructor.constructor;
        return constructor('return this')();
      });
      const [world] = worlds;
      return [worlds.every((one) => one === globalThis), typeof world.process, typeof world.process.mainModule, typeof world.process.dlopen];
    };`,
  expectation: { returns: [true, 'object', 'undefined', 'undefined'] },
};
