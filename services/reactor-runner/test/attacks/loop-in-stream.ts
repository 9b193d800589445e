import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'pipes a stream that never ends',
  target: 'time',
  code: `
    const { PassThrough, Readable } = require('stream');
    module.exports = () => new Promise((resolve) => {
      const endless = new Readable({ read: () => endless.push('x') });
      endless.pipe(new PassThrough()).resume().on('end', resolve);
    });`,
  expectation: timesOut,
};
