import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'makes formatters of all languages',
  target: 'time',
  code: `
    module.exports = () => {
      const kept = [];
      for (let i = 0; ; i += 1) kept.push(new Intl.DateTimeFormat(['ar', 'th', 'zh'][i % 3], { dateStyle: 'full', calendar: 'islamic' }));
    };`,
  expectation: isStopped,
};
