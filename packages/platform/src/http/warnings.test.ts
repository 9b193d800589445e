import { expect } from 'chai';

import type { AppError } from '../errors/app-error.ts';
import { type Finding, Warnings, unknownName, warningList } from './warnings.ts';

const finding = (path: string): Finding => ({
  path,
  warning: `unknown property ${path}`,
  problem: 'is unknown',
});
const errorOf = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was thrown');
};

describe('the warnings of an answer', () => {
  it('are none where nothing was found', () => {
    expect(warningList(new Warnings(undefined).texts)).to.equal(undefined);
  });

  it('are a list of strings, in ASCII alone, in which quotes and backslashes are escaped', () => {
    expect(warningList(['plain', 'a "b" \\ c', 'é\r\nX-Injected: 1\u{1f600}\0'])).to.equal(
      String.raw`"plain", "a \"b\" \\ c", "???X-Injected: 1??"`,
    );
  });

  it('are at most ten, each of a bounded length, and say that there are more', () => {
    const texts = Array.from({ length: 11 }, (_, index) => `${index}`);
    expect(warningList(texts.slice(1))?.split(', ')).to.have.length(10);
    const cut = warningList(texts)?.split(', ') ?? [];
    expect(cut).to.have.length(10);
    expect(cut.at(-1)).to.equal('"and more"');
    expect(warningList(['"'.repeat(10_000)])).to.have.length(602);
  });
});

describe('an unknown name', () => {
  it('is reported with its path, and with the known one that was probably meant', () => {
    const known = ['permissions', 'priority'];
    expect(unknownName('property', { path: 'rules[0].permisions', name: 'permisions', known })).to.deep.equal(
      {
        warning: 'unknown property rules[0].permisions, did you mean permissions?',
        path: 'rules[0].permisions',
        problem: 'is unknown, did you mean permissions?',
      },
    );
    expect(unknownName('parameter', { path: 'colour', name: 'colour', known })).to.deep.equal({
      warning: 'unknown parameter colour',
      path: 'colour',
      problem: 'is unknown',
    });
  });
});

describe('a caller', () => {
  it('a caller who is not strict gets what was found as a warning', () => {
    for (const header of [undefined, 'false']) {
      const warnings = new Warnings(header);
      warnings.add([finding('a')]);
      warnings.add([finding('b.c')]);
      expect(warnings.texts).to.deep.equal(['unknown property a', 'unknown property b.c']);
    }
  });

  it('who is strict has it refused, with every field named', () => {
    const warnings = new Warnings('true');
    warnings.add([]);
    const error = errorOf(() => warnings.add([finding('a'), finding('b.c')]));
    expect(error.code).to.equal('strict');
    expect(error.errors).to.deep.equal({ a: ['is unknown'], 'b.c': ['is unknown'] });
    expect(error.message).to.equal('a: is unknown');
    expect(error.title).to.equal('One or more validation errors occurred.');
  });

  it('who is strict may have named a member of every object', () => {
    for (const path of ['constructor', '__proto__', 'toString']) {
      const error = errorOf(() => new Warnings('true').add([finding(path)]));
      expect(Object.entries(error.errors)).to.deep.equal([[path, ['is unknown']]]);
      expect(error.code).to.equal('strict');
    }
  });

  it('is strict or not, and nothing else', () => {
    for (const header of ['', 'TRUE', '1', '?1', 'true, true', 'yes']) {
      expect(errorOf(() => new Warnings(header)).errors, header).to.have.property('SVC-STRICT');
    }
  });
});
