import { expect } from 'chai';

import { versionDifferences } from './version-differences.ts';

const version = (number: number, definition: object, more: object = {}) => ({
  version: number,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'a',
  definition,
  ...more,
});

describe('the differences of two versions', () => {
  it('name each member with its values, deep ones by their path', () => {
    const before = { name: 'p', timeout: 5, requestTransforms: [{ code: 'a' }], allowedDestinations: ['x'] };
    const after = {
      name: 'q',
      requestTransforms: [{ code: 'b' }],
      allowedDestinations: ['x', 'y'],
      requireAuth: true,
    };
    expect(versionDifferences(version(1, before), version(2, after))).to.deep.equal([
      { path: 'allowedDestinations', change: 'changed', before: ['x'], after: ['x', 'y'] },
      { path: 'name', change: 'changed', before: 'p', after: 'q' },
      { path: 'requestTransforms[0].code', change: 'changed', before: 'a', after: 'b' },
      { path: 'requireAuth', change: 'added', after: true },
      { path: 'timeout', change: 'removed', before: 5 },
    ]);
  });

  it('are none of equal definitions, in either order', () => {
    const definition = { name: 'p', responseGuard: { mode: 'report' } };
    expect(versionDifferences(version(1, definition), version(4, { ...definition }))).to.deep.equal([]);
  });

  it('say of a configuration what the next version says, and no more than is known of others', () => {
    const marks = (changed: boolean) => ({ changed });
    const before = { configuration: { GONE: marks(true), KEPT: marks(true), OTHER: marks(true) } };
    const after = { configuration: { KEPT: marks(false), NEW: marks(true), OTHER: marks(true) } };
    const expected = [
      { path: 'configuration.GONE', change: 'removed' },
      { path: 'configuration.NEW', change: 'added' },
      { path: 'configuration.OTHER', change: 'changed' },
    ];
    expect(versionDifferences(version(1, before), version(2, after))).to.deep.equal(expected);
    const unknown = [
      { path: 'configuration.GONE', change: 'removed' },
      { path: 'configuration.KEPT', change: 'unknown' },
      { path: 'configuration.NEW', change: 'added' },
      { path: 'configuration.OTHER', change: 'unknown' },
    ];
    expect(versionDifferences(version(1, before), version(3, after))).to.deep.equal(unknown);
    expect(versionDifferences(version(1, before), version(2, after, { draft: true }))).to.deep.equal(unknown);
  });

  it('compare the settings that a formula declares, which are not secret', () => {
    const declared = (type: string) => ({ configuration: [{ name: 'KEY', type }] });
    expect(versionDifferences(version(1, declared('string')), version(3, declared('number')))).to.deep.equal([
      { path: 'configuration[0].type', change: 'changed', before: 'string', after: 'number' },
    ]);
  });
});
