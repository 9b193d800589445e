import { parseContainer } from '@glovebox/access/container';
import { compileHosts, covers } from '@glovebox/access/host-set';
import { type Reach, type StoredRule, compileGrants, decide } from '@glovebox/access/rules';
import { expect } from 'chai';
import fc from 'fast-check';

import { type Target, target } from './target.ts';

const words = ['a', 'b', 'pci', 'high'];
const container = fc
  .array(fc.constantFrom(...words), { maxLength: 3 })
  .map((all) => `/${all.map((one) => `${one}/`).join('')}`);
const permission = fc.constantFrom('token:read', 'token:use', 'token:delete', 'token:create', 'unknown');
const hosts = [
  'api.example.com:443',
  'www.example.com:443',
  'a.b.example.com:443',
  'example.com:443',
  'other.org:443',
  'api.example.com:8443',
];
const patterns = fc.constantFrom(
  'api.example.com',
  '*.example.com',
  'example.com',
  'other.org',
  'api.example.com:8443',
  '*.b.example.com',
);
const tokenIds = ['one', 'one-more', 'two'];

const condition = fc.oneof(
  fc.record({
    attribute: fc.constantFrom('id', 'ID'),
    operator: fc.constantFrom('equals', 'starts_with'),
    value: fc.constantFrom(...tokenIds, 'o', ''),
  }),
  fc.record({
    attribute: fc.constant('container'),
    operator: fc.constantFrom('equals', 'STARTS_WITH'),
    value: fc.oneof(container, fc.constantFrom('/A/', '/pc')),
  }),
  fc.record({
    attribute: fc.constantFrom('id', 'type'),
    operator: fc.constantFrom('equals', 'matches'),
    value: fc.constantFrom('one'),
  }),
);
const rule: fc.Arbitrary<Omit<StoredRule, 'priority'>> = fc
  .record(
    {
      transform: fc.constantFrom('reveal', 'mask', 'redact', 'unknown'),
      permissions: fc.array(permission, { maxLength: 3 }),
      container,
      conditions: fc.array(condition, { minLength: 1, maxLength: 2 }),
      destinations: fc.array(patterns, { minLength: 1, maxLength: 2 }),
      byConditions: fc.boolean(),
    },
    { requiredKeys: ['transform', 'permissions', 'container', 'conditions', 'byConditions'] },
  )
  .map(({ byConditions, container: place, conditions, ...rest }) => ({
    ...rest,
    ...(byConditions ? { conditions } : { container: place }),
  }));

interface Case {
  readonly permissions: string[];
  readonly rules: Omit<StoredRule, 'priority'>[];
  readonly order: number;
  readonly wanted: 'token:read' | 'token:use' | 'token:delete' | 'token:create';
  readonly at: { container: string; tokenId: string };
  readonly reach: { anywhere: boolean; places: string[] };
}

/** contract/tenants.md#evaluation, sentence by sentence. @returns the transform, null where nothing is shown, or that it is refused */
function model({ permissions, rules, wanted, at, reach }: Case): string | null {
  for (const one of rules) {
    if (!one.permissions.includes(wanted)) continue;
    const isReadable =
      one.conditions?.every(
        ({ attribute, operator }) =>
          /^(id|container)$/i.test(attribute) && /^(equals|starts_with)$/i.test(operator),
      ) ?? true;
    if (isReadable && !holds(one, at)) continue;
    const bound = wanted === 'token:use' ? one.destinations : undefined;
    if (bound !== undefined && !reaches(bound, reach)) continue;
    if (!isReadable) return 'refused';
    if (!['reveal', 'mask', 'redact'].includes(one.transform)) return 'refused';
    if (wanted === 'token:delete') return null;
    if (wanted === 'token:use') return one.transform === 'reveal' ? 'reveal' : 'refused';
    return one.destinations !== undefined && one.transform === 'reveal' ? 'mask' : one.transform;
  }
  if (!permissions.includes(wanted)) return 'refused';
  if (wanted === 'token:delete') return null;
  return wanted === 'token:use' ? 'reveal' : 'mask';
}

function holds({ container: place, conditions = [] }: Omit<StoredRule, 'priority'>, at: Case['at']): boolean {
  if (place !== undefined) return at.container.startsWith(place);
  return conditions.every(({ attribute, operator, value }) => {
    const isId = attribute.toLowerCase() === 'id';
    const [own, given] = isId ? [at.tokenId, value] : [at.container, value.toLowerCase()];
    return operator.toLowerCase() === 'equals' ? own === given : own.startsWith(given);
  });
}

const reaches = (bound: readonly string[], { anywhere, places }: Reach) =>
  !anywhere && places.every((place) => bound.some((pattern) => coversModel(pattern, place)));

function coversModel(pattern: string, place: string): boolean {
  const [name = '', port = '443'] = pattern.split(':');
  const [host = '', at = ''] = place.split(':');
  if (port !== at) return false;
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}

const decisions = target(
  'access rules against a model',
  'the decision and the view are those of the naive model',
  150,
  fc.record({
    permissions: fc.array(permission, { maxLength: 2 }),
    rules: fc.array(rule, { maxLength: 5 }),
    order: fc.nat(),
    wanted: fc.constantFrom(
      'token:read' as const,
      'token:use' as const,
      'token:delete' as const,
      'token:create' as const,
    ),
    at: fc.record({ container, tokenId: fc.constantFrom(...tokenIds) }),
    reach: fc.record({
      anywhere: fc.boolean(),
      places: fc.array(fc.constantFrom(...hosts), { maxLength: 2 }),
    }),
  }),
  (one) => {
    const numbered = one.rules.map((each, at) => ({ ...each, priority: at + 1 }));
    // Their order in the list does not matter.
    const turn = one.order % Math.max(1, numbered.length);
    const shuffled = [...numbered.slice(turn), ...numbered.slice(0, turn)];
    const decision = decide(compileGrants(one.permissions, shuffled), one.wanted, one.at, one.reach);
    expect(decision.allowed ? decision.transform : 'refused').to.equal(model(one));
  },
);

const hostPatterns = target(
  'host patterns against a model',
  'a place is covered by exactly the patterns that name it',
  25,
  fc.record({ bound: fc.array(patterns, { maxLength: 3 }), place: fc.constantFrom(...hosts) }),
  ({ bound, place }) => {
    expect(covers(compileHosts(bound), place)).to.equal(bound.some((pattern) => coversModel(pattern, place)));
  },
);

const containers = target(
  'containers against a model',
  'exactly what the grammar allows is a container, in lower case',
  50,
  fc.oneof(
    fc
      .array(fc.constantFrom('/', 'a', 'B', '_', '-', '.', ' ', 'é', '%2f', '..', '\n'), { maxLength: 8 })
      .map((all) => all.join('')),
    container,
  ),
  (text) => {
    const segments = text.split('/');
    const isOne =
      text.startsWith('/') &&
      text.endsWith('/') &&
      (text === '/' ||
        segments
          .slice(1, -1)
          .every(
            (part) =>
              part !== '' &&
              [...part].every(
                (one) =>
                  'abcdefghijklmnopqrstuvwxyz0123456789_-'.includes(one.toLowerCase()) &&
                  one.length === 1 &&
                  one.charCodeAt(0) < 128,
              ),
          ));
    expect(parseContainer(text)).to.equal(isOne ? text.toLowerCase() : null);
  },
);

export const rules: readonly Target[] = [decisions, hostPatterns, containers];
