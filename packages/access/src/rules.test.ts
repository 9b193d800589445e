import { expect } from 'chai';
import fc from 'fast-check';

import { allPermissions, permissionsFor } from './permission.ts';
import type { Permission, TokenPermission } from './permission.ts';
import {
  compileGrants,
  decide,
  holdsAnywhere,
  mayInvoke,
  mayUseTowards,
  revealsEverything,
} from './rules.ts';
import type { AccessRule, DenialReason, Grants, Reach, StoredRule, Transform } from './rules.ts';

const at = (container: string): { container: string } => ({ container });

function rule(
  priority: number,
  container: string,
  transform: Transform,
  ...permissions: TokenPermission[]
): AccessRule {
  return { priority, container, transform, permissions };
}

const allow = (transform: Transform | null) => ({ allowed: true, transform }) as const;
const deny = (reason: DenialReason) => ({ allowed: false, reason }) as const;

describe('plain permissions', () => {
  const fixed: readonly (readonly [Permission, Transform | null])[] = [
    ['token:create', 'mask'],
    ['token:update', 'mask'],
    ['token:read', 'mask'],
    ['token:search', 'mask'],
    ['token:use', 'reveal'],
    ['token:delete', null],
  ];
  for (const [permission, transform] of fixed) {
    it(`grant ${permission} everywhere, with transform ${transform}`, () => {
      const grants = compileGrants([permission], []);
      for (const container of ['/', '/pci/high/', '/x/']) {
        expect(decide(grants, permission, at(container))).to.deep.include(allow(transform));
      }
      expect(holdsAnywhere(grants, permission)).to.equal(true);
    });
  }

  it('grant nothing else', () => {
    fc.assert(
      fc.property(fc.subarray([...permissionsFor('private'), ...permissionsFor('management')]), (held) => {
        const grants = compileGrants(held, []);
        for (const { type } of allPermissions) {
          expect(decide(grants, type, at('/')).allowed).to.equal(held.includes(type));
          expect(holdsAnywhere(grants, type)).to.equal(held.includes(type));
        }
      }),
    );
  });

  it('that are unknown grant nothing', () => {
    const grants = compileGrants(['token:everything', 'token:*', '*', ''], []);
    for (const { type } of allPermissions) expect(holdsAnywhere(grants, type)).to.equal(false);
  });
});

describe('a rule with destinations', () => {
  const bound = (priority: number, transform: Transform, destinations: string[], container = '/') => ({
    ...rule(priority, container, transform, 'token:use', 'token:read', 'token:delete'),
    destinations,
  });
  const stripe = bound(1, 'reveal', ['api.stripe.com', '*.stripe.com:8443']);
  const reaching = (...places: string[]) => ({ anywhere: false, places });
  const use = (grants: Grants, reach?: Reach) => decide(grants, 'token:use', at('/pci/'), reach);
  const only = compileGrants([], [stripe]);

  it('allows what reaches nothing else, and what stays inside', () => {
    for (const reach of [reaching(), reaching('api.stripe.com:443'), reaching('a.b.stripe.com:8443')])
      expect(use(only, reach)).to.deep.equal({ allowed: true, transform: 'reveal', rule: 1 });
  });

  it('does not allow what reaches another place, or any, or the caller', () => {
    const refused = { allowed: false, reason: 'destination_not_bound', rule: 1 };
    for (const reach of [
      reaching('evil.example:443'),
      reaching('api.stripe.com:443', 'evil.example:443'),
      reaching('api.stripe.com:8080'),
      { anywhere: true, places: ['api.stripe.com:443'] },
      undefined,
    ])
      expect(use(only, reach), JSON.stringify(reach)).to.deep.equal(refused);
  });

  it('is passed over, so that the next rule decides', () => {
    const adyen = bound(2, 'reveal', ['*.adyen.com']);
    const grants = compileGrants(['token:use'], [stripe, adyen, rule(3, '/pci/', 'mask', 'token:use')]);
    expect(use(grants, reaching('x.adyen.com:443'))).to.deep.include({ allowed: true, rule: 2 });
    expect(use(grants, reaching('evil.example:443'))).to.deep.include(deny('use_without_reveal'));
    const open = compileGrants(['token:use'], [stripe]);
    expect(use(open, reaching('evil.example:443'))).to.deep.include({ allowed: true, rule: null });
    const elsewhere = compileGrants([], [bound(1, 'reveal', ['api.stripe.com'], '/pii/')]);
    expect(use(elsewhere, reaching('evil.example:443'))).to.deep.include(deny('outside_scope'));
  });

  it('shows the caller a mask, and lets it invoke and delete', () => {
    expect(decide(only, 'token:read', at('/pci/'))).to.deep.equal({
      allowed: true,
      transform: 'mask',
      rule: 1,
    });
    expect(decide(only, 'token:delete', at('/pci/')).allowed).to.equal(true);
    expect(mayInvoke(only)).to.equal(true);
    expect(revealsEverything(only, 'token:use')).to.equal(false);
    expect(revealsEverything(compileGrants(['token:use'], [stripe]), 'token:use')).to.equal(true);
  });

  it('counts for other values than tokens, such as the configuration of a reactor, where it covers the reach', () => {
    expect(mayUseTowards(only, reaching('api.stripe.com:443'))).to.equal(true);
    expect(mayUseTowards(only, reaching('evil.example:443'))).to.equal(false);
    expect(mayUseTowards(compileGrants(['token:use'], [stripe]), reaching('evil.example:443'))).to.equal(
      true,
    );
  });
});

describe('decide', () => {
  it('denies everything to an application without grants', () => {
    const grants = compileGrants([], []);
    for (const { type } of allPermissions) {
      expect(decide(grants, type, at('/'))).to.deep.include(deny('not_held'));
      expect(holdsAnywhere(grants, type)).to.equal(false);
    }
  });

  it('lets the more urgent rule of the documented example win', () => {
    const grants = compileGrants(
      [],
      [rule(2, '/pci/', 'reveal', 'token:read'), rule(1, '/pci/high/', 'mask', 'token:read')],
    );
    expect(decide(grants, 'token:read', at('/pci/high/'))).to.deep.include(allow('mask'));
    expect(decide(grants, 'token:read', at('/pci/low/'))).to.deep.include(allow('reveal'));
    expect(decide(grants, 'token:read', at('/pii/'))).to.deep.include(deny('outside_scope'));
    expect(decide(grants, 'token:delete', at('/pci/'))).to.deep.include(deny('not_held'));
  });

  it('passes over a rule of the container that does not list the permission', () => {
    const grants = compileGrants(
      [],
      [rule(1, '/pci/', 'mask', 'token:read', 'token:search'), rule(2, '/pci/', 'reveal', 'token:use')],
    );
    expect(decide(grants, 'token:read', at('/pci/'))).to.deep.include(allow('mask'));
    expect(decide(grants, 'token:use', at('/pci/'))).to.deep.include(allow('reveal'));
  });

  it('puts rules before plain permissions', () => {
    const grants = compileGrants(['token:read'], [rule(9, '/pci/', 'redact', 'token:read')]);
    expect(decide(grants, 'token:read', at('/pci/high/'))).to.deep.include(allow('redact'));
    expect(decide(grants, 'token:read', at('/pii/'))).to.deep.include(allow('mask'));
  });

  for (const transform of ['mask', 'redact'] as const) {
    it(`denies use where the deciding rule says ${transform}, even if a later one reveals`, () => {
      const grants = compileGrants(
        ['token:use'],
        [rule(1, '/pci/high/', transform, 'token:use'), rule(2, '/pci/', 'reveal', 'token:use')],
      );
      expect(decide(grants, 'token:use', at('/pci/high/'))).to.deep.include(deny('use_without_reveal'));
      expect(decide(grants, 'token:use', at('/pci/low/'))).to.deep.include(allow('reveal'));
    });
  }

  it('does not count a use that no rule reveals as held', () => {
    const grants = compileGrants([], [rule(1, '/', 'mask', 'token:use', 'token:read')]);
    expect(holdsAnywhere(grants, 'token:use')).to.equal(false);
    expect(holdsAnywhere(grants, 'token:read')).to.equal(true);
  });

  it('takes a use in any view for one that may invoke, and nothing else', () => {
    for (const transform of ['redact', 'mask', 'reveal'] as const) {
      expect(mayInvoke(compileGrants([], [rule(1, '/pci/', transform, 'token:use')]))).to.equal(true);
    }
    expect(mayInvoke(compileGrants(['token:use'], []))).to.equal(true);
    expect(mayInvoke(compileGrants(['token:read'], [rule(1, '/', 'reveal', 'token:read')]))).to.equal(false);
    const unreadable = { ...rule(1, '/', 'reveal', 'token:use'), transform: 'later' };
    expect(mayInvoke(compileGrants([], [unreadable]))).to.equal(false);
  });

  it('shows nothing of what is deleted, whatever the rule says', () => {
    const grants = compileGrants([], [rule(1, '/', 'reveal', 'token:delete')]);
    expect(decide(grants, 'token:delete', at('/a/'))).to.deep.include(allow(null));
  });

  it('grants management permissions by no rule', () => {
    const stored: StoredRule = {
      priority: 1,
      container: '/',
      transform: 'reveal',
      permissions: ['proxy:create'],
    };
    expect(holdsAnywhere(compileGrants([], [stored]), 'proxy:create')).to.equal(false);
  });

  const unreadable: readonly (readonly [string, Partial<StoredRule>])[] = [
    ['transform', { transform: 'tokenize' }],
    ['container', { container: 'pci' }],
    ['missing container', { container: undefined }],
    [
      'condition',
      { container: undefined, conditions: [{ attribute: 'tag', operator: 'equals', value: 'x' }] },
    ],
  ];
  for (const [name, part] of unreadable) {
    it(`denies what a rule lists whose ${name} it cannot read, and nothing else`, () => {
      const odd: StoredRule = {
        priority: 1,
        container: '/pci/',
        transform: 'mask',
        permissions: ['token:read'],
        ...part,
      };
      const grants = compileGrants(['token:read', 'token:use'], [odd]);
      expect(decide(grants, 'token:read', at('/pci/'))).to.deep.include(deny('unreadable_rule'));
      expect(decide(grants, 'token:use', at('/pci/'))).to.deep.include(allow('reveal'));
    });
  }

  it('agrees with the definition: the first matching rule by priority, then the plain permission', () => {
    const containers = ['/', '/a/', '/a/b/', '/a/b/c/', '/ab/'];
    const permissions = permissionsFor('private') as readonly TokenPermission[];
    const rules = fc.uniqueArray(
      fc.record({
        priority: fc.integer({ min: 1, max: 50 }),
        container: fc.constantFrom(...containers),
        transform: fc.constantFrom<Transform>('redact', 'mask', 'reveal'),
        permissions: fc.subarray([...permissions], { minLength: 1 }),
      }),
      { selector: ({ priority }) => priority, maxLength: 8 },
    );
    fc.assert(
      fc.property(
        rules,
        fc.subarray([...permissions]),
        fc.constantFrom(...permissions),
        fc.constantFrom(...containers),
        (given, plain, wanted, container) => {
          const first = given
            .toSorted((a, b) => a.priority - b.priority)
            .find((r) => container.startsWith(r.container) && r.permissions.includes(wanted));
          const decision = decide(compileGrants(plain, given), wanted, { container });
          const allowed =
            first === undefined
              ? plain.includes(wanted)
              : wanted !== 'token:use' || first.transform === 'reveal';
          expect(decision.allowed).to.equal(allowed);
          if (decision.allowed && first !== undefined && wanted !== 'token:delete') {
            expect(decision.transform).to.equal(first.transform);
          }
        },
      ),
    );
  });
});

describe('revealing everything', () => {
  const reveals = (...rules: StoredRule[]) =>
    revealsEverything(compileGrants(['token:read'], rules), 'token:read');
  const read = (priority: number, container: string, transform: Transform) =>
    rule(priority, container, transform, 'token:read');

  it('takes a rule that reveals the root; the plain permission masks', () => {
    expect(reveals()).to.equal(false);
    expect(reveals(read(1, '/', 'reveal'))).to.equal(true);
    expect(reveals(read(1, '/pci/', 'reveal'))).to.equal(false);
    expect(reveals(rule(1, '/', 'reveal', 'token:use'))).to.equal(false);
  });

  it('is not given by a rule that another comes before, unless that reveals too', () => {
    const root = read(9, '/', 'reveal');
    for (const transform of ['mask', 'redact'] as const) {
      expect(reveals(read(1, '/pci/', transform), root), transform).to.equal(false);
      expect(reveals(root, read(10, '/pci/', transform)), transform).to.equal(true);
    }
    expect(reveals(read(1, '/pci/', 'reveal'), root)).to.equal(true);
    expect(reveals(rule(1, '/pci/', 'mask', 'token:use'), root)).to.equal(true);
    expect(reveals({ ...read(1, '/', 'reveal'), transform: 'nosuch' }, root)).to.equal(false);
  });

  it('is not given by conditions', () => {
    for (const attribute of ['id', 'container']) {
      const conditions = [{ attribute, operator: 'starts_with', value: 'x' }];
      expect(reveals({ priority: 1, conditions, transform: 'reveal', permissions: ['token:read'] })).to.equal(
        false,
      );
    }
  });

  it('means what decide says of any target', () => {
    const containers = ['/', '/a/', '/a/b/'];
    const rules = fc.array(
      fc.record({
        priority: fc.integer({ min: 1, max: 9 }),
        container: fc.constantFrom(...containers),
        transform: fc.constantFrom<Transform>('mask', 'reveal'),
        permissions: fc.constant(['token:read']),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(rules, fc.constantFrom(...containers, '/b/'), (given, container) => {
        const grants = compileGrants(['token:read'], given);
        if (!revealsEverything(grants, 'token:read')) return;
        expect(decide(grants, 'token:read', at(container))).to.deep.include(allow('reveal'));
      }),
    );
  });
});
