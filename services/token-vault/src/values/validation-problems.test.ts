import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { ValidationProblems } from './validation-problems.ts';

function errorsOf(problems: ValidationProblems): unknown {
  try {
    problems.throwIfAny();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.errors : error;
  }
}

describe('ValidationProblems', () => {
  it('says nothing when there are none', () => {
    expect(errorsOf(new ValidationProblems())).to.equal(undefined);
  });

  it('keeps every message under its path', () => {
    const problems = new ValidationProblems();
    problems.add('name', 'one');
    problems.add('name', 'two');
    problems.at('cards[0]')('data.number', 'three');
    problems.at('')('type', 'four');
    problems.at('cards[1]')('', 'five');
    expect(errorsOf(problems)).to.deep.equal({
      name: ['one', 'two'],
      'cards[0].data.number': ['three'],
      type: ['four'],
      'cards[1]': ['five'],
    });
  });

  it('answers a bounded number of problems under bounded names', () => {
    const problems = new ValidationProblems();
    for (let i = 0; i < 100_000; i += 1) problems.add(`${'x'.repeat(1000)}${String(i)}`, 'm');
    for (let i = 0; i < 100_000; i += 1) problems.add(String(i), 'm');
    expect(JSON.stringify(errorsOf(problems)).length).to.be.lessThan(2000);
    expect(problems.any).to.equal(true);
  });

  it('is a 400 with the title of validation errors', () => {
    const problems = new ValidationProblems();
    problems.add('__proto__', 'is odd');
    try {
      problems.throwIfAny();
      expect.fail('nothing was thrown');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.code).to.equal('invalid_argument');
      expect(error.title).to.equal('One or more validation errors occurred.');
      expect(Object.keys(error.errors)).to.deep.equal(['__proto__']);
    }
  });
});
