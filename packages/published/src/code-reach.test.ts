import type { HostPatterns } from '@glovebox/protos/published/v1/published';
import { expect } from 'chai';

import { reachOfCode } from './code-reach.ts';

const hosts = (...patterns: string[]): HostPatterns => ({ patterns });
const policy = (mode: string, ...patterns: string[]) => ({
  egressPolicy: { mode, destinations: hosts(...patterns), ephemeral: true },
});

describe('what code may reach', () => {
  const own = hosts('a.example:443', '*.b.example:443');
  const cases: readonly (readonly [string, Parameters<typeof reachOfCode>, boolean, readonly string[]])[] = [
    ['is anything without hosts of its own', [undefined, undefined], true, []],
    ['is anything where the policy only reports', [undefined, policy('report', 'a.example:443')], true, []],
    ['is nothing with an empty list', [hosts(), undefined], false, []],
    ['is its own hosts', [own, policy('off')], false, own.patterns],
    [
      'is what an enforced policy allows',
      [undefined, policy('enforce', 'c.example:443')],
      false,
      ['c.example:443'],
    ],
    [
      'is named with its port, also where records leave out 443',
      [hosts('a.example', '*.b.example:8443'), undefined],
      false,
      ['a.example:443', '*.b.example:8443'],
    ],
    [
      'is named with its port, also where a policy leaves out 443',
      [undefined, policy('enforce', '*.c.example')],
      false,
      ['*.c.example:443'],
    ],
    ['is nothing where an enforced policy allows nothing', [undefined, policy('enforce')], false, []],
    [
      'is what both its own list and an enforced policy allow',
      [own, policy('enforce', '*.b.example:443', 'x.b.example:443', 'c.example:443')],
      false,
      ['*.b.example:443', 'x.b.example:443'],
    ],
  ];
  for (const [what, [allowed, tenant], anywhere, places] of cases) {
    it(what, () => {
      const reach = reachOfCode(allowed, tenant);
      expect([reach.anywhere, [...new Set(reach.places)].toSorted()]).to.deep.equal([
        anywhere,
        [...places].toSorted(),
      ]);
    });
  }
});
