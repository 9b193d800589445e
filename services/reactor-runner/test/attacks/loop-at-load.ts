import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops while it is loaded',
  target: 'time',
  code: `
    for (;;);`,
  expectation: timesOut,
};
