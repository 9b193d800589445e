import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { defaultInputLimits } from '../../limits/input-limits.ts';
import { readFormulaInput } from './schema.ts';

const minimal = {
  type: 'private',
  name: 'issue',
  code: 'module.exports = async (req) => ({ raw: req.args })',
};
const png = 'data:image/png;base64,iVBORw0KGgo=';

function pathsOf(body: object): string[] {
  try {
    readFormulaInput(defaultInputLimits, body);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return Object.keys(error.errors);
    throw error;
  }
  return [];
}

const setting = (name: unknown, type: unknown = 'string') => ({
  ...minimal,
  configuration: [{ name, type }],
});
const parameter = (name: unknown, type: unknown = 'string') => ({
  ...minimal,
  request_parameters: [{ name, type }],
});

describe("a formula's body", () => {
  it('has defaults for what is left out or null', () => {
    const expected = {
      name: minimal.name,
      code: minimal.code,
      description: null,
      icon: null,
      configuration: [],
      request_parameters: [],
    };
    expect(readFormulaInput(defaultInputLimits, minimal)).to.deep.equal(expected);
    const nulls = {
      status: null,
      description: null,
      icon: null,
      configuration: null,
      request_parameters: null,
    };
    expect(readFormulaInput(defaultInputLimits, { ...minimal, ...nulls })).to.deep.equal(expected);
  });

  it('keeps what it says', () => {
    const full = {
      ...minimal,
      status: 'coming_soon',
      description: 'Issues\ncards',
      icon: png,
      configuration: [{ name: 'API-KEY_1', description: 'key', type: 'string' }],
      request_parameters: [{ name: 'card.number', description: 'PAN', type: 'number', optional: true }],
    };
    const { type: _type, status: _status, ...kept } = full;
    expect(readFormulaInput(defaultInputLimits, full)).to.deep.equal(kept);
  });

  const letIn: readonly object[] = [
    setting('a'),
    setting('-'),
    setting('x'.repeat(200)),
    setting('constructor'),
    parameter('a'),
    parameter('a.b.c'),
    parameter('card_number-2.x'),
    parameter('0'),
    parameter('a', 'boolean'),
    { ...minimal, request_parameters: [{ name: 'a', type: 'number', optional: null, description: null }] },
    { ...minimal, icon: 'data:image/jpeg;base64, AAAA' },
    { ...minimal, description: 'x'.repeat(1000), code: 'x'.repeat(50_000) },
    { ...minimal, configuration: Array.from({ length: 25 }, (_, i) => ({ name: `n${i}`, type: 'number' })) },
    { ...minimal, surprise: {}, id: 5 },
  ];
  for (const body of letIn) {
    const own = Object.entries(body).filter(([name, value]) => Reflect.get(minimal, name) !== value);
    it(`lets in ${JSON.stringify(Object.fromEntries(own)).slice(0, 90)}`, () => {
      expect(pathsOf(body)).to.deep.equal([]);
    });
  }

  const wrong: readonly [why: string, body: object, paths: string[]][] = [
    ['nothing', {}, ['type', 'name', 'code']],
    ['an official formula', { ...minimal, type: 'official' }, ['type']],
    ['another status', { ...minimal, status: 'published' }, ['status']],
    ['empty code', { ...minimal, code: '' }, ['code']],
    [
      'everything of the wrong type',
      {
        type: 1,
        status: 1,
        name: 1,
        description: 1,
        icon: 1,
        code: 1,
        configuration: {},
        request_parameters: 'x',
      },
      ['type', 'status', 'name', 'description', 'icon', 'code', 'configuration', 'request_parameters'],
    ],
    [
      'everything too long',
      {
        type: 'private',
        name: 'x'.repeat(201),
        description: 'x'.repeat(1001),
        icon: png.padEnd(50_001, 'A'),
        code: 'x'.repeat(50_001),
        configuration: [{ name: 'x'.repeat(201), description: 'x'.repeat(401), type: 'string' }],
        request_parameters: [{ name: 'x'.repeat(201), description: 'x'.repeat(401), type: 'string' }],
      },
      [
        'name',
        'description',
        'icon',
        'code',
        'configuration[0].name',
        'configuration[0].description',
        'request_parameters[0].name',
        'request_parameters[0].description',
      ],
    ],
    [
      'items that are none',
      { ...minimal, configuration: ['x', null, {}], request_parameters: [[]] },
      [
        'configuration[0]',
        'configuration[1]',
        'configuration[2].name',
        'configuration[2].type',
        'request_parameters[0]',
      ],
    ],
    [
      'optional that is no boolean',
      { ...minimal, request_parameters: [{ name: 'a', type: 'string', optional: 'no' }] },
      ['request_parameters[0].optional'],
    ],
    [
      'names declared twice, beside other problems',
      {
        ...minimal,
        name: '',
        configuration: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'array' },
        ],
        request_parameters: [{ name: 'a.b', type: 'string' }, { name: 'c', type: 'string' }, { name: 'a.b' }],
      },
      [
        'name',
        'configuration[1].type',
        'request_parameters[2].type',
        'configuration[1].name',
        'request_parameters[2].name',
      ],
    ],
    [
      '26 settings',
      {
        ...minimal,
        configuration: Array.from({ length: 26 }, (_, i) => ({ name: `n${i}`, type: 'string' })),
      },
      ['configuration'],
    ],
    [
      '200 000 parameters',
      { ...minimal, request_parameters: Array.from({ length: 200_000 }, () => 1) },
      ['request_parameters'],
    ],
    ...['a.b', '', 'a b', 'ä', 'a\n', '__proto__', 1, null, {}].map((name): [string, object, string[]] => [
      `a setting named ${JSON.stringify(name)}`,
      setting(name),
      ['configuration[0].name'],
    ]),
    ...['', '.', 'a.', '.a', 'a..b', '-a', 'a-', 'a b', 'a[0]', 'a\n', '__proto__', 'a.__proto__.b', 1].map(
      (name): [string, object, string[]] => [
        `a parameter named ${JSON.stringify(name)}`,
        parameter(name),
        ['request_parameters[0].name'],
      ],
    ),
    ...['object', 'array', 'String', '', null, 1].map((type): [string, object, string[]] => [
      `a type ${JSON.stringify(type)}`,
      parameter('a', type),
      ['request_parameters[0].type'],
    ]),
    ...[
      'data:image/svg+xml;base64,AAAA',
      'data:text/html;base64,AAAA',
      'https://example.com/x.png',
      'data:image/png;base64,<script>',
    ].map((icon): [string, object, string[]] => [`the icon ${icon}`, { ...minimal, icon }, ['icon']]),
  ];
  for (const [why, body, paths] of wrong) {
    it(`${why}: every problem, by its path`, () => {
      expect(pathsOf(body)).to.have.members(paths);
    });
  }

  it('hostile names cost no time', () => {
    const startedAt = performance.now();
    for (const name of [`${'a'.repeat(1_000_000)}!`, `${'a.'.repeat(500_000)}!`, '-'.repeat(1_000_000)]) {
      expect(pathsOf(parameter(name))).to.deep.equal(['request_parameters[0].name']);
      expect(pathsOf({ ...minimal, icon: `data:image/png;base64,${name}` })).to.deep.equal(['icon']);
    }
    expect(performance.now() - startedAt).to.be.lessThan(1000);
  });
});
