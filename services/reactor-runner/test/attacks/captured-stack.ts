import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "reads the names of the host's files from stacks",
  target: 'host',
  code: `
    module.exports = () => {
      const holder = {};
      Error.stackTraceLimit = Infinity;
      Error.captureStackTrace(holder);
      const stacks = [holder.stack, new Error('a').stack];
      try {
        require('nothing');
      } catch (error) {
        stacks.push(error.stack);
      }
      try {
        Buffer.alloc('x');
      } catch (error) {
        stacks.push(error.stack);
      }
      return stacks.join('\\n').split('\\n').filter((line) => /file:|\\.ts\\b|\\.node\\b|reactor-runner|node_modules|sandbox/.test(line));
    };`,
  expectation: { returns: [] },
};
