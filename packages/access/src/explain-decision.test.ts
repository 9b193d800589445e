import { expect } from 'chai';
import fc from 'fast-check';

import { explainDecision } from './explain-decision.ts';
import { type StoredRule, compileGrants, decide } from './rules.ts';

const rule = (priority: number, more: Partial<StoredRule> = {}): StoredRule => ({
  priority,
  container: '/pci/',
  transform: 'reveal',
  permissions: ['token:use'],
  ...more,
});
const target = { container: '/pci/high/' };
const towards = (place: string) => ({ anywhere: false, places: [place] });

describe('the explanation of a decision', () => {
  it('names what each rule has to do with it', () => {
    const rules = [
      rule(9),
      rule(1, { permissions: ['token:read'] }),
      rule(2, { container: '/phi/' }),
      rule(3, { destinations: ['api.example.com'] }),
      rule(4, { transform: 'mask' }),
    ];
    const explained = explainDecision(
      { permissions: [], rules },
      'token:use',
      target,
      towards('b.example:443'),
    );
    expect(explained.decision).to.deep.equal({ allowed: false, reason: 'use_without_reveal', rule: 4 });
    expect(explained.rules.map((one) => [one.rule.priority, one.outcome])).to.deep.equal([
      [1, 'other_permission'],
      [2, 'other_tokens'],
      [3, 'other_destinations'],
      [4, 'decides'],
      [9, 'comes_later'],
    ]);
  });

  const containers = fc.constantFrom('/', '/pci/', '/pci/high/', '/phi/');
  const permission = fc.constantFrom('token:use', 'token:read', 'token:delete');
  const anyRule = fc.record({
    priority: fc.integer({ min: 1, max: 30 }),
    container: containers,
    transform: fc.constantFrom('reveal', 'mask', 'redact', 'unheard of'),
    permissions: fc.array(permission, { minLength: 1, maxLength: 3 }),
    destinations: fc.option(fc.constantFrom(['a.example'], ['*.a.example']), { nil: undefined }),
  });
  const anyRules = fc.uniqueArray(anyRule, { maxLength: 6, selector: ({ priority }) => priority });
  const reach = fc.constantFrom(
    towards('a.example:443'),
    towards('b.a.example:443'),
    { anywhere: true, places: [] },
    { anywhere: false, places: [] },
  );

  it('is of the very decision that is made, and names its rule', () => {
    fc.assert(
      fc.property(
        anyRules,
        fc.subarray(['token:use', 'token:read']),
        permission,
        containers,
        reach,
        (rules, permissions, wanted, container, reached) => {
          const explained = explainDecision({ permissions, rules }, wanted, { container }, reached);
          const made = decide(compileGrants(permissions, rules), wanted, { container }, reached);
          expect(explained.decision).to.deep.equal(made);
          const deciding = explained.rules.filter(({ outcome }) => outcome === 'decides');
          const isPassedOver = !made.allowed && made.reason === 'destination_not_bound';
          const named = isPassedOver || made.rule === null ? [] : [made.rule];
          expect(deciding.map((one) => one.rule.priority)).to.deep.equal(named);
        },
      ),
    );
  });
});
