import { expect } from 'chai';
import fc from 'fast-check';

import { defaultAccessLimits } from './access-limits.ts';
import { parseContainer } from './container.ts';
import { applicationTypes } from './permission.ts';
import type { ApplicationType } from './permission.ts';
import type { Problems } from './problems.ts';
import { validateRules } from './validate-rules.ts';

const good = { priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:create'] };

function problemsOf(input: unknown, type: ApplicationType = 'private'): Problems {
  const result = validateRules(input, type);
  return result.ok ? {} : result.problems;
}

describe('validateRules', () => {
  for (const nothing of [undefined, null, []]) {
    for (const type of applicationTypes) {
      it(`reads ${JSON.stringify(nothing)} as no rules for a ${type} application`, () => {
        expect(validateRules(nothing, type)).to.deep.equal({ ok: true, value: [] });
      });
    }
  }

  it('returns the rules as they are stored, and only their known properties', () => {
    const input = [
      {
        ...good,
        container: '/PCI/High/',
        description: 'Ä',
        permissions: ['token:use', 'token:use'],
        extra: 1,
      },
      { ...good, priority: 7, description: null, conditions: null },
    ];
    expect(validateRules(input, 'private')).to.deep.equal({
      ok: true,
      value: [
        {
          description: 'Ä',
          priority: 1,
          container: '/pci/high/',
          transform: 'mask',
          permissions: ['token:use'],
        },
        { priority: 7, container: '/pci/', transform: 'mask', permissions: ['token:create'] },
      ],
    });
  });

  it('normalises destinations', () => {
    const destinations = ['API.Stripe.com:443', 'api.stripe.com', '*.Adyen.com', 'pay.example:8443'];
    const input = [{ ...good, permissions: ['token:read', 'token:use'], transform: 'reveal', destinations }];
    const result = validateRules(input, 'private');
    expect(result.ok && result.value[0]?.destinations).to.deep.equal([
      'api.stripe.com',
      '*.adyen.com',
      'pay.example:8443',
    ]);
  });

  it('takes destinations on this machine where the operator allows them', () => {
    const input = [{ ...good, permissions: ['token:use'], destinations: ['localhost:4000'] }];
    const development = { ...defaultAccessLimits, localDestinations: true };
    expect(validateRules(input, 'private', development).ok).to.equal(true);
    expect(problemsOf(input)).to.have.all.keys('rules[0].destinations[0]');
  });

  const using = { ...good, permissions: ['token:use'] };
  const refused: readonly (readonly [string, unknown, string])[] = [
    ['no array', { 0: good }, 'rules'],
    ['text', 'reveal', 'rules'],
    ['a rule that is null', [null], 'rules[0]'],
    ['a rule that is an array', [[good]], 'rules[0]'],
    ['destinations without token:use', [{ ...good, destinations: ['a.example'] }], 'rules[0].destinations'],
    ['no destinations', [{ ...using, destinations: [] }], 'rules[0].destinations'],
    ['destinations that are text', [{ ...using, destinations: 'a.example' }], 'rules[0].destinations'],
    ['any destination', [{ ...using, destinations: ['a.example', '*'] }], 'rules[0].destinations[1]'],
    ['a public suffix', [{ ...using, destinations: ['*.com'] }], 'rules[0].destinations[0]'],
    ['no priority', [{ ...good, priority: undefined }], 'rules[0].priority'],
    ['priority 0', [{ ...good, priority: 0 }], 'rules[0].priority'],
    ['priority 1.5', [{ ...good, priority: 1.5 }], 'rules[0].priority'],
    ['priority as text', [{ ...good, priority: '1' }], 'rules[0].priority'],
    ['a priority beyond an integer column', [{ ...good, priority: 2 ** 31 }], 'rules[0].priority'],
    ['a repeated priority', [good, { ...good, priority: 2 }, good], 'rules[2].priority'],
    ['no container', [{ ...good, container: undefined }], 'rules[0].container'],
    ['a container that is null', [{ ...good, container: null }], 'rules[0].container'],
    ['a container without slashes', [{ ...good, container: 'pci' }], 'rules[0].container'],
    ['a container that is a list', [{ ...good, container: ['/pci/'] }], 'rules[0].container'],
    ['no transform', [{ ...good, transform: undefined }], 'rules[0].transform'],
    ['an unknown transform', [{ ...good, transform: 'Reveal' }], 'rules[0].transform'],
    ['an inherited name as transform', [{ ...good, transform: 'constructor' }], 'rules[0].transform'],
    ['no permissions', [{ ...good, permissions: undefined }], 'rules[0].permissions'],
    ['empty permissions', [{ ...good, permissions: [] }], 'rules[0].permissions'],
    ['permissions as text', [{ ...good, permissions: 'token:read' }], 'rules[0].permissions'],
    ['an unknown permission', [{ ...good, permissions: ['token:create', 'x'] }], 'rules[0].permissions[1]'],
    ['a management permission', [{ ...good, permissions: ['proxy:read'] }], 'rules[0].permissions[0]'],
    ['a description that is a number', [{ ...good, description: 1 }], 'rules[0].description'],
    ['a description that is too long', [{ ...good, description: 'x'.repeat(401) }], 'rules[0].description'],
    [
      'conditions',
      [{ ...good, conditions: [{ attribute: 'id', operator: 'equals', value: 'x' }] }],
      'rules[0].conditions',
    ],
    ['more rules than a decision should look at', Array.from({ length: 101 }, () => good), 'rules'],
  ];
  for (const [name, input, path] of refused) {
    it(`refuses ${name}, naming ${path} alone`, () => {
      expect(Object.keys(problemsOf(input))).to.deep.equal([path]);
    });
  }

  it('reports all problems at once', () => {
    expect(
      Object.keys(problemsOf([{}, good, 3, { ...good, transform: 1, permissions: [2] }])),
    ).to.have.members([
      'rules[0].priority',
      'rules[0].container',
      'rules[0].transform',
      'rules[0].permissions',
      'rules[2]',
      'rules[3].priority',
      'rules[3].transform',
      'rules[3].permissions[0]',
    ]);
  });

  it('refuses a permission that the application type may not hold', () => {
    const rule = { ...good, permissions: ['token:create', 'token:read'] };
    expect(problemsOf([rule], 'private')).to.deep.equal({});
    expect(Object.keys(problemsOf([rule], 'public'))).to.deep.equal(['rules[0].permissions[1]']);
  });

  it('refuses any rule of a management application', () => {
    expect(Object.keys(problemsOf([good], 'management'))).to.deep.equal(['rules']);
  });

  it('prefixes paths with the one it was given', () => {
    const result = validateRules([{ ...good, priority: 0 }], 'private', defaultAccessLimits, 'session.rules');
    expect(result.ok ? [] : Object.keys(result.problems)).to.deep.equal(['session.rules[0].priority']);
  });

  it('lets the rules of an expiring application or a session name conditions in place of a container', () => {
    const { container: _, ...unbound } = good;
    const conditions = [
      { attribute: 'ID', operator: 'Equals', value: 'Some Id' },
      { attribute: 'container', operator: 'STARTS_WITH', value: '/PCI/h', more: 1 },
    ];
    for (const type of ['public', 'management'] as const) {
      expect(validateRules([{ ...unbound, conditions }], type).ok).to.equal(false);
    }
    const readOnly = { ...unbound, conditions, permissions: ['token:read'] };
    expect(validateRules([readOnly], 'expiring').ok).to.equal(true);
    const result = validateRules([{ ...unbound, conditions }], 'session');
    expect(result.ok && result.value[0]?.conditions).to.deep.equal([
      { attribute: 'id', operator: 'equals', value: 'Some Id' },
      { attribute: 'container', operator: 'starts_with', value: '/pci/h' },
    ]);
    const paths = (rule: object) => {
      const refused = validateRules([rule], 'session');
      return refused.ok ? [] : Object.keys(refused.problems);
    };
    expect(paths({ ...good, conditions })).to.deep.equal(['rules[0].conditions']);
    expect(paths({ ...unbound, conditions: [] })).to.deep.equal(['rules[0].container']);
    expect(paths({ ...unbound, conditions: {} })).to.deep.equal(['rules[0].conditions']);
    expect(paths({ ...unbound, conditions: Array(11).fill(conditions[0]) })).to.deep.equal([
      'rules[0].conditions',
    ]);
    const wrong = [
      null,
      {},
      { attribute: 'type', operator: 'ends_with', value: '' },
      { attribute: 'container', operator: 'equals', value: '/pci' },
      { attribute: 'container', operator: 'starts_with', value: 'pci' },
      { attribute: 'id', operator: 'equals', value: 'a\0' },
      { attribute: 'id', operator: 'equals', value: '\ud800' },
      { attribute: 'id', operator: 'equals', value: 'x'.repeat(401) },
    ];
    expect(paths({ ...unbound, conditions: wrong })).to.deep.equal([
      'rules[0].conditions[0]',
      ...['attribute', 'operator', 'value'].map((name) => `rules[0].conditions[1].${name}`),
      ...['attribute', 'operator', 'value'].map((name) => `rules[0].conditions[2].${name}`),
      ...[3, 4, 5, 6, 7].map((index) => `rules[0].conditions[${index}].value`),
    ]);
    expect(paths(good)).to.deep.equal([]);
    expect(Object.keys(problemsOf([{ ...good, conditions }]))).to.deep.equal(['rules[0].conditions']);
  });

  it('either finds problems or returns rules that hold the definition, for any JSON', () => {
    const nearly = fc.array(
      fc.record(
        {
          priority: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.jsonValue()),
          container: fc.oneof(fc.constantFrom('/', '/A/', 'x'), fc.jsonValue()),
          transform: fc.oneof(fc.constantFrom('redact', 'mask', 'reveal'), fc.jsonValue()),
          permissions: fc.oneof(fc.constant(['token:create']), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.oneof(nearly, fc.jsonValue()), fc.constantFrom(...applicationTypes), (input, type) => {
        const result = validateRules(input, type);
        if (!result.ok) return Object.keys(result.problems).length > 0;
        expect(new Set(result.value.map(({ priority }) => priority)).size).to.equal(result.value.length);
        for (const { container, permissions } of result.value) {
          expect(parseContainer(container ?? '')).to.equal(container);
          expect(permissions).to.not.deep.equal([]);
        }
        return true;
      }),
    );
  });

  it('goes by the limits that it is given', () => {
    const limits = {
      rules: 1,
      descriptionLength: 2,
      permissions: 1,
      conditions: 1,
      conditionValueLength: 3,
      containerLength: 5,
      localDestinations: false,
    };
    const problems = (rule: object, more: readonly object[] = []) => {
      const result = validateRules([{ ...good, ...rule }, ...more], 'session', limits);
      return result.ok ? {} : result.problems;
    };
    const condition = { attribute: 'id', operator: 'equals', value: 'abc' };
    const unbound = { container: undefined };
    expect(problems({ description: 'ab', container: '/abc/' })).to.deep.equal({});
    expect(problems({ ...unbound, conditions: [condition] })).to.deep.equal({});
    expect(problems({}, [good])).to.deep.equal({ rules: ['must hold at most 1 rules'] });
    expect(
      problems({ description: 'abc', container: '/abcd/', permissions: ['token:read', 'token:use'] }),
    ).to.deep.equal({
      'rules[0].description': ['must be a string of at most 2 characters'],
      'rules[0].container': [
        'must be a path such as /pci/high/: segments of letters, digits, - and _, ' +
          'a slash before and after each, at most 5 characters',
      ],
      'rules[0].permissions': ['must hold at most 1 permissions'],
    });
    expect(problems({ ...unbound, conditions: [condition, condition] })).to.deep.equal({
      'rules[0].conditions': ['must be an array of at most 1 conditions'],
    });
    expect(problems({ ...unbound, conditions: [{ ...condition, value: 'abcd' }] })).to.deep.equal({
      'rules[0].conditions[0].value': ['must be a string of 1 to 3 characters, without U+0000'],
    });
  });
});
