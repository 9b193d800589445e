import { inspect } from 'node:util';

import { expect } from 'chai';

import type { SettingDeclaration } from '../formulas/fields.ts';
import type { Problems } from '../http/shape.ts';
import { defaultInputLimits } from '../limits/input-limits.ts';
import { readSettings } from './settings.ts';

const declared: readonly SettingDeclaration[] = [
  { name: 'TEXT', type: 'string' },
  { name: 'COUNT', type: 'number' },
  { name: 'LIVE', type: 'boolean' },
];
const fitting = { TEXT: 'x', COUNT: '1', LIVE: 'true' };

function read(sent: Readonly<Record<string, unknown>>, declarations = declared) {
  const problems: Problems = {};
  const configuration = readSettings(defaultInputLimits, sent, declarations, problems);
  return { configuration, paths: Object.keys(problems), problems };
}

describe("a reactor's settings", () => {
  const accepted: readonly [name: string, value: unknown, text: string][] = [
    ['TEXT', '', ''],
    ['TEXT', '5', '5'],
    ['TEXT', 'x'.repeat(16_384), 'x'.repeat(16_384)],
    ['COUNT', 5, '5'],
    ['COUNT', -0.5, '-0.5'],
    ['COUNT', 1e300, '1e+300'],
    ['COUNT', '5.50', '5.50'],
    ['LIVE', true, 'true'],
    ['LIVE', false, 'false'],
    ['LIVE', 'false', 'false'],
    ['UNDECLARED', 'x', 'x'],
    ['UNDECLARED', 5, '5'],
    ['UNDECLARED', true, 'true'],
    ['constructor', 'x', 'x'],
  ];
  for (const [name, value, text] of accepted) {
    it(`${name} takes ${JSON.stringify(value).slice(0, 40)}`, () => {
      const { configuration, paths } = read({ ...fitting, [name]: value });
      expect(paths).to.deep.equal([]);
      expect(configuration).to.deep.equal({ ...fitting, [name]: text });
    });
  }

  const refused: readonly [name: string, value: unknown][] = [
    ['TEXT', 5],
    ['TEXT', true],
    ['TEXT', {}],
    ['TEXT', ['x']],
    ['TEXT', { toString: 1 }],
    ['UNDECLARED', { toString: 1, valueOf: 1 }],
    ['TEXT', 'x'.repeat(16_385)],
    ['COUNT', ''],
    ['COUNT', 'five'],
    ['COUNT', true],
    ['COUNT', Infinity],
    ['COUNT', '1e999'],
    ['COUNT', [5]],
    ['LIVE', ''],
    ['LIVE', 'yes'],
    ['LIVE', 1],
    ['LIVE', { true: true }],
    ['UNDECLARED', {}],
    ['UNDECLARED', []],
    ['UNDECLARED', Infinity],
    ['UNDECLARED', 'x'.repeat(16_385)],
  ];
  for (const [name, value] of refused) {
    it(`${name} refuses ${inspect(value).slice(0, 40)}, by its path`, () => {
      const { problems } = read({ ...fitting, [name]: value });
      expect(Object.keys(problems)).to.deep.equal([`configuration.${name}`]);
      expect(problems[`configuration.${name}`]).to.have.length(1);
    });
  }

  it('every declared name is required, and null is not a value', () => {
    const { problems } = read({ COUNT: null, OTHER: null });
    expect(problems).to.deep.equal({
      'configuration.TEXT': ['is required'],
      'configuration.COUNT': ['is required'],
      'configuration.LIVE': ['is required'],
    });
    expect(read({ OTHER: null }, []).configuration).to.deep.equal({});
  });

  it('what was let in is let in again as the text that it was made', () => {
    const { configuration } = read({ TEXT: 'x', COUNT: 5, LIVE: true });
    expect(read(configuration)).to.deep.include({ configuration, paths: [] });
  });
});
