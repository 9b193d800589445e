import { expect } from 'chai';
import fc from 'fast-check';

import { findExcess } from './find-excess.ts';
import type { TokenPermission } from './permission.ts';
import { compileGrants, decide } from './rules.ts';
import type { AccessRule, Condition, Decision, Transform } from './rules.ts';
import type { Target } from './scope.ts';

function rule(
  priority: number,
  container: string,
  transform: Transform,
  ...permissions: TokenPermission[]
): AccessRule {
  return { priority, container, transform, permissions };
}

const plain = (...permissions: TokenPermission[]) => ({ permissions, rules: [] });
const ruled = (...rules: AccessRule[]) => ({ permissions: [], rules });
const excess = (wanted: Parameters<typeof findExcess>[0], held: Parameters<typeof findExcess>[0]) =>
  Object.keys(findExcess(wanted, compileGrants(held.permissions, held.rules)));

describe('what a session would have that its application has not', () => {
  it('is nothing where it gets the same, or a part', () => {
    expect(excess(plain('token:read', 'token:use'), plain('token:read', 'token:use'))).to.deep.equal([]);
    expect(excess(plain('token:read'), plain('token:read', 'token:use'))).to.deep.equal([]);
    const held = ruled(rule(1, '/pci/', 'reveal', 'token:read'));
    expect(excess(held, held)).to.deep.equal([]);
    expect(excess(ruled(rule(7, '/pci/high/', 'mask', 'token:read')), held)).to.deep.equal([]);
    expect(excess(plain('token:read'), ruled(rule(1, '/', 'reveal', 'token:read')))).to.deep.equal([]);
  });

  it('is a permission, a container, or a transform', () => {
    const held = ruled(rule(1, '/pci/', 'mask', 'token:read'));
    expect(excess(plain('token:read'), held)).to.deep.equal(['permissions']);
    expect(excess(ruled(rule(1, '/pci/', 'mask', 'token:read', 'token:delete')), held)).to.deep.equal([
      'rules[0].permissions',
    ]);
    expect(excess(ruled(rule(1, '/pci/', 'reveal', 'token:read')), held)).to.deep.equal([
      'rules[0].permissions',
    ]);
    expect(excess(ruled(rule(1, '/pii/', 'redact', 'token:read')), held)).to.deep.equal([
      'rules[0].permissions',
    ]);
    expect(
      excess(ruled(rule(2, '/pci/a/', 'mask', 'token:read'), rule(1, '/', 'mask', 'token:read')), held),
    ).to.deep.equal(['rules[1].permissions']);
  });

  it('is a destination', () => {
    const use = (destinations?: string[], priority = 1) => ({
      ...rule(priority, '/pci/', 'reveal', 'token:use'),
      ...(destinations === undefined ? {} : { destinations }),
    });
    const held = ruled(use(['*.stripe.com', 'pay.example:8443']));
    const tooMuch = ['rules[0].permissions'];
    for (const part of [['api.stripe.com'], ['*.api.stripe.com', 'pay.example:8443'], ['*.stripe.com']])
      expect(excess(ruled(use(part)), held), part.join()).to.deep.equal([]);
    for (const more of [
      ['evil.example'],
      ['api.stripe.com', 'evil.example'],
      ['pay.example'],
      ['stripe.com'],
    ])
      expect(excess(ruled(use(more)), held), more.join()).to.deep.equal(tooMuch);
    expect(excess(ruled(use()), held)).to.deep.equal(tooMuch);
    expect(excess(plain('token:use'), held)).to.deep.equal(['permissions']);
    expect(excess(ruled(use(['evil.example'])), ruled(use()))).to.deep.equal([]);
    expect(
      excess(ruled(use(['evil.example'])), ruled(use(['api.stripe.com']), use(undefined, 2))),
    ).to.deep.equal([]);
    // A rule of its own that is passed over elsewhere takes nothing out there.
    expect(excess(ruled(use(['api.stripe.com']), use(undefined, 2)), held)).to.deep.equal([
      'rules[1].permissions',
    ]);
  });

  it('is not what an earlier rule of either side takes out', () => {
    const held = ruled(rule(1, '/pci/high/', 'mask', 'token:read'), rule(2, '/pci/', 'reveal', 'token:read'));
    expect(excess(held, held)).to.deep.equal([]);
    expect(excess(ruled(rule(1, '/pci/', 'reveal', 'token:read')), held)).to.deep.equal([
      'rules[0].permissions',
    ]);
    const redacted = ruled(rule(3, '/pci/', 'redact', 'token:read'), rule(4, '/', 'reveal', 'token:read'));
    expect(
      excess(redacted, ruled(rule(1, '/pci/', 'mask', 'token:read'), rule(2, '/', 'reveal', 'token:read'))),
    ).to.deep.equal([]);
  });

  it('is an invocation for a caller who may invoke nothing, and none for one who may', () => {
    const wanted = ruled(rule(1, '/pci/', 'mask', 'token:use'));
    expect(excess(wanted, plain('token:create'))).to.deep.equal(['rules[0].permissions']);
    expect(excess(wanted, plain('token:use'))).to.deep.equal([]);
    expect(excess(wanted, ruled(rule(1, '/pii/', 'redact', 'token:use')))).to.deep.equal([]);
    const used = ruled(rule(1, '/pci/', 'reveal', 'token:use'));
    expect(excess(used, wanted)).to.deep.equal(['rules[0].permissions']);
  });

  it('is never empty where some token would show it', () => {
    const containers = ['/', '/a/', '/a/b/', '/ab/', '/a/b/c/', '/x/'];
    const ids = [undefined, 'k', 'key', 'key1', 'other'];
    const condition = fc.oneof(
      fc.record({
        attribute: fc.constant<'container'>('container'),
        operator: fc.constantFrom<Condition['operator']>('equals', 'starts_with'),
        value: fc.constantFrom(...containers, '/a'),
      }),
      fc.record({
        attribute: fc.constant<'id'>('id'),
        operator: fc.constantFrom<Condition['operator']>('equals', 'starts_with'),
        value: fc.constantFrom('k', 'key', 'key1'),
      }),
    );
    const scope = fc.oneof(
      fc.record({ container: fc.constantFrom(...containers) }),
      fc.record({ conditions: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
    );
    const permissions: TokenPermission[] = ['token:read', 'token:use', 'token:create'];
    const rules = fc.uniqueArray(
      fc
        .record({
          priority: fc.integer({ min: 1, max: 20 }),
          transform: fc.constantFrom<Transform>('redact', 'mask', 'reveal'),
          permissions: fc.subarray(permissions, { minLength: 1 }),
          scope,
        })
        .map(({ scope: bounds, ...rest }): AccessRule => ({ ...rest, ...bounds })),
      { selector: ({ priority }) => priority, maxLength: 5 },
    );
    const side = fc.record({ permissions: fc.subarray(permissions), rules });
    const rank = (decision: Decision) =>
      decision.allowed ? ['redact', 'mask', 'reveal'].indexOf(decision.transform ?? 'redact') : -1;
    fc.assert(
      fc.property(side, side, (wanted, held) => {
        if (excess(wanted, held).length > 0) return;
        const [own, theirs] = [wanted, held].map((of) => compileGrants(of.permissions, of.rules));
        if (own === undefined || theirs === undefined) throw new Error('two sides');
        for (const permission of permissions) {
          for (const container of containers) {
            for (const tokenId of ids) {
              const target: Target = { container, tokenId };
              const [mine, limit] = [decide(own, permission, target), decide(theirs, permission, target)];
              expect(rank(mine), JSON.stringify(target)).to.be.at.most(rank(limit));
            }
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('is empty for what is held itself', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            priority: fc.integer({ min: 1, max: 20 }),
            container: fc.constantFrom('/', '/a/', '/a/b/', '/b/'),
            transform: fc.constantFrom<Transform>('redact', 'mask', 'reveal'),
            permissions: fc.subarray<TokenPermission>(['token:read', 'token:use'], { minLength: 1 }),
          }),
          { selector: ({ priority }) => priority, maxLength: 6 },
        ),
        (rules) => {
          expect(excess(ruled(...rules), ruled(...rules))).to.deep.equal([]);
        },
      ),
    );
  });
});
