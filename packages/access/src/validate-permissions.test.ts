import { expect } from 'chai';
import fc from 'fast-check';

import { defaultAccessLimits } from './access-limits.ts';
import { applicationTypes, mayHold } from './permission.ts';
import { validatePermissions } from './validate-permissions.ts';

describe('validatePermissions', () => {
  for (const nothing of [undefined, null, []]) {
    it(`reads ${JSON.stringify(nothing)} as none`, () => {
      expect(validatePermissions(nothing, 'private')).to.deep.equal({ ok: true, value: [] });
    });
  }

  it('drops repetitions and keeps the order', () => {
    const input = ['token:use', 'token:read', 'token:use'];
    expect(validatePermissions(input, 'private')).to.deep.equal({
      ok: true,
      value: ['token:use', 'token:read'],
    });
  });

  it('names every item that is no permission or not for the type', () => {
    const input = ['token:create', 'token:read', 'token:pci:read:high', 7, null, 'proxy:create'];
    expect(validatePermissions(input, 'public')).to.deep.equal({
      ok: false,
      problems: {
        'permissions[1]': ['cannot be held by a public application'],
        'permissions[2]': ['is not a permission'],
        'permissions[3]': ['is not a permission'],
        'permissions[4]': ['is not a permission'],
        'permissions[5]': ['cannot be held by a public application'],
      },
    });
  });

  it('names a word that is a permission of no type when the type is not known', () => {
    const input = ['token:create', 'tenant:read', 'token:pci:read:high'];
    expect(validatePermissions(input, undefined)).to.deep.equal({
      ok: false,
      problems: { 'permissions[2]': ['is not a permission'] },
    });
  });

  for (const input of ['token:read', { 0: 'token:read' }, 1, true]) {
    it(`refuses ${JSON.stringify(input)}, which is no array`, () => {
      expect(validatePermissions(input, 'private', defaultAccessLimits, 'a.b')).to.deep.equal({
        ok: false,
        problems: { 'a.b': ['must be an array of permissions'] },
      });
    });
  }

  it('looks at no item of a list that is too long', () => {
    const result = validatePermissions(
      Array.from({ length: 100_000 }, () => 'x'),
      'private',
    );
    expect(result).to.deep.equal({
      ok: false,
      problems: { permissions: ['must hold at most 50 permissions'] },
    });
  });

  it('only ever lets through what the type may hold', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...applicationTypes), (input, type) => {
        const result = validatePermissions(input, type);
        if (result.ok) expect(result.value.every((permission) => mayHold(type, permission))).to.equal(true);
        else expect(Object.keys(result.problems)).to.not.deep.equal([]);
      }),
    );
  });
});
