import { expect } from 'chai';

import type { CodeReach, EgressReport } from '../../../worker-protocol/code-reach.ts';
import { compileReachCheck } from './reach-check.ts';

const list = ['api.example.com', '*.example.org'];
const enforced = { patterns: ['api.example.com', 'other.example'], isEnforced: true };
const reporting = { ...enforced, isEnforced: false };

describe('what code may reach', () => {
  for (const [what, reach, place, refusal, isReported] of [
    ['a host of its list', { allowed: list }, 'a.example.org:443', undefined, false],
    ['no other host', { allowed: list }, 'evil.example:443', 'allowed_destinations', true],
    ['no other port', { allowed: list }, 'api.example.com:8443', 'allowed_destinations', true],
    ['no IP address', { allowed: list }, '93.184.216.34:443', 'allowed_destinations', true],
    ['no IPv6 address', { allowed: list }, '[2606:4700::1]:443', 'allowed_destinations', true],
    ['nothing with an empty list', { allowed: [] }, 'api.example.com:443', 'allowed_destinations', true],
    ['a host of the enforced policy', { policy: enforced }, 'other.example:443', undefined, false],
    ['no host beside the enforced policy', { policy: enforced }, 'evil.example:443', 'egress_policy', true],
    [
      'any host, reported, by a policy that reports',
      { policy: reporting },
      'evil.example:443',
      undefined,
      true,
    ],
    ['a host of both', { allowed: list, policy: enforced }, 'api.example.com:443', undefined, false],
    [
      'no host of the list alone',
      { allowed: list, policy: enforced },
      'a.example.org:443',
      'egress_policy',
      true,
    ],
    [
      'no host of the policy alone',
      { allowed: list, policy: enforced },
      'other.example:443',
      'allowed_destinations',
      true,
    ],
    [
      'a host of its list, reported by the policy',
      { allowed: list, policy: reporting },
      'a.example.org:443',
      undefined,
      true,
    ],
  ] as readonly [string, CodeReach, string, string | undefined, boolean][]) {
    it(`is ${what}`, () => {
      const reports: EgressReport[] = [];
      const checkPlace = compileReachCheck(reach)((report) => reports.push(report));
      expect(checkPlace(place)).to.equal(refusal);
      expect(checkPlace(place)).to.equal(refusal);
      expect(reports.map(({ place: reported, denied }) => [reported, denied])).to.deep.equal(
        isReported ? [[place, refusal !== undefined]] : [],
      );
    });
  }
});
