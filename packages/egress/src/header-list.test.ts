import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { readHeaders } from './header-list.ts';

const read = (headers: unknown) => readHeaders(headers, 32_768, 'The transform returned');

describe('headers that code returned', () => {
  const table: [what: string, headers: unknown, flat: string[]][] = [
    ['none where they are missing', undefined, []],
    ['none where they are null', null, []],
    ['text and numbers', { A: 'x', B: 5, C: -0.5 }, ['A', 'x', 'B', '5', 'C', '-0.5']],
    ['one line for each of a list', { A: ['x', 1] }, ['A', 'x', 'A', '1']],
    ['nothing for null and for an empty list', { A: null, B: [] }, []],
    ['any name that HTTP can carry', { "!#$%&'*+-.^_`|~09": 'x' }, ["!#$%&'*+-.^_`|~09", 'x']],
    ['bytes above ASCII and tabs', { A: 'é\tÿ' }, ['A', 'é\tÿ']],
    ['empty values', { A: '' }, ['A', '']],
    [
      'the last of names that differ in case',
      { 'X-A': '1', b: '2', 'x-a': ['3', '4'] },
      ['b', '2', 'x-a', '3', 'x-a', '4'],
    ],
    ['no header where the last one is null', { 'X-A': '1', 'x-a': null }, []],
  ];
  for (const [what, headers, flat] of table) {
    it(`are ${what}`, () => {
      expect(read(headers)).to.deep.equal(flat);
    });
  }

  const refused: [what: string, headers: unknown][] = [
    ['text', 'A: b'],
    ['a list', [['A', 'b']]],
    ['a number', 5],
    ['an empty name', { '': 'x' }],
    ['a name with a colon', { 'A:': 'x' }],
    ['a name with a line break', { 'A\n': 'x' }],
    ['a name beyond ASCII', { é: 'x' }],
    ['a name without end', { ['A'.repeat(1000)]: 'x' }],
    ['a line break', { A: 'secret\r\nB: c' }],
    ['a null byte', { A: 'secret\0' }],
    ['a character that is no byte', { A: 'secret€' }],
    ['a secret for its name', { 'the-secret': '€' }],
    ['a secret for its name that is not valid', { 'the/secret': 'b' }],
    ['a truth value', { A: true }],
    ['an object', { A: { secret: 1 } }],
    ['a list in a list', { A: [['secret']] }],
    ['null in a list', { A: [null] }],
    ['more than a message can carry', { A: 'secret'.repeat(10_000) }],
    ['too many lines', { A: Array.from({ length: 20_000 }, () => '') }],
  ];
  for (const [what, headers] of refused) {
    it(`are refused with ${what}, and the error shows no secret`, () => {
      const refusal = /^The transform returned (a header|headers)(?!.*secret).{1,250}$/;
      expect(() => read(headers)).to.throw(AppError, refusal);
    });
  }

  it('may have as many bytes as the service takes of a client', () => {
    expect(readHeaders({ A: '12345' }, 14, 'It returned')).to.deep.equal(['A', '12345']);
    expect(() => readHeaders({ A: '12345' }, 13, 'It returned')).to.throw(
      AppError,
      'It returned headers of more than 13 bytes.',
    );
  });
});
