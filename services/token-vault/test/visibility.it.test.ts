import { randomUUID } from 'node:crypto';

import { compileGrants, decide } from '@glovebox/access/rules';
import type { AccessRule } from '@glovebox/protos/published/v1/published';
import { storedRule } from '@glovebox/published/published-rule';
import { expect } from 'chai';
import fc from 'fast-check';

import { Fixture } from './harness/fixture.ts';

const containers = ['/', '/a/', '/a/b/', '/a/b/c/', '/ab/', '/b/', '/z_-9/'];
const container = fc.constantFrom(...containers, '/nowhere/');
const transform = fc.constantFrom('reveal', 'mask', 'redact', 'a word of a later version');
const permissions = fc.subarray(['token:read', 'token:search', 'token:delete']);
const condition = fc.oneof(
  fc.record({
    attribute: fc.constant('container'),
    operator: fc.constantFrom('equals', 'starts_with'),
    value: fc.constantFrom(...containers, '/A', '', '/a/b', '/ä', '\0'),
  }),
  fc.record({
    attribute: fc.constantFrom('id', 'ID', 'type'),
    operator: fc.constantFrom('equals', 'starts_with'),
    value: fc.constantFrom('id', 'id 0', 'id 1', '', 'ID', '\0', '\ud800', '%'),
  }),
);
const rule = fc.oneof(
  fc.record({ container, conditions: fc.constant([]), transform, permissions }),
  fc.record({
    container: fc.constant(''),
    conditions: fc.array(condition, { maxLength: 3 }),
    transform,
    permissions,
  }),
);

describe('what a list selects', () => {
  let fixture: Fixture;
  let tenantId: string;
  const tokens = containers.flatMap((at, i) => [0, 1].map((n) => ({ id: `id ${n} ${i}`, container: at })));
  before(async () => {
    fixture = await Fixture.start();
    tenantId = fixture.tenantId;
    for (const { id, container: at } of tokens) await fixture.token(1, { id, containers: [at] });
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('is what each decision by itself allows, whatever the rules are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 5 }), permissions, async (rules, held) => {
        const published = rules.map((one, i) => ({ ...one, priority: i + 1 }) as AccessRule);
        const key = await fixture.publisher.application({ tenantId, permissions: held, rules: published });
        const grants = compileGrants(held, published.map(storedRule));
        for (const [permission, page] of [
          ['token:read', () => fixture.gateway.list(key, 'size=100')],
          ['token:search', () => fixture.gateway.search(key, { size: 100 })],
        ] as const) {
          const allowed = tokens.filter(
            ({ id, container: at }) => decide(grants, permission, { container: at, tokenId: id }).allowed,
          );
          const shown = await page().then(
            ({ data, pagination }) => {
              expect(pagination['total_items']).to.equal(data.length);
              return data.map(({ id }) => id);
            },
            (error: { code: string }) => {
              expect(error.code).to.equal('permission_denied');
              return [];
            },
          );
          expect(shown).to.have.members(allowed.map(({ id }) => id));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('takes as many rules as an application may have', async () => {
    const rules = Array.from({ length: 100 }, (_, i) => ({
      container: i === 99 ? '/' : `/${randomUUID()}/`,
      transform: i % 2 === 0 ? 'mask' : 'unknown',
      permissions: ['token:read'],
    }));
    const reader = await fixture.application([], [...rules.slice(0, 99), { ...rules[98], container: '/a/' }]);
    expect((await fixture.gateway.list(reader)).pagination['total_items']).to.equal(6);
  });
});
