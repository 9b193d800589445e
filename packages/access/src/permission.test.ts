import { expect } from 'chai';
import fc from 'fast-check';

import {
  allPermissions,
  applicationTypes,
  isPermission,
  isTokenPermission,
  mayHold,
  permissionsFor,
} from './permission.ts';

describe('permissions', () => {
  it('gives each application type exactly its permissions', () => {
    expect(permissionsFor('public')).to.deep.equal(['token:create', 'token:update']);
    expect(permissionsFor('private')).to.have.members([
      'token:create',
      'token:read',
      'token:search',
      'token:update',
      'token:delete',
      'token:use',
    ]);
    expect(permissionsFor('expiring')).to.deep.equal(['token:read']);
    expect(permissionsFor('management')).to.have.lengthOf(31);
    expect(permissionsFor('management').some(isTokenPermission)).to.equal(false);
  });

  it('knows every permission that the contract names for an operation', () => {
    const operations = ['create', 'read', 'update', 'delete'];
    for (const resource of ['proxy', 'reactor', 'application']) {
      for (const operation of operations) expect(isPermission(`${resource}:${operation}`)).to.equal(true);
    }
    expect(isPermission('token:use')).to.equal(true);
  });

  it('describes each permission once, with at least one holder', () => {
    expect(new Set(allPermissions.map(({ type }) => type)).size).to.equal(allPermissions.length);
    for (const { type, description, applicationTypes: types } of allPermissions) {
      expect(description, type).to.match(/^[A-Z]/);
      expect(types, type).to.not.deep.equal([]);
      for (const holder of applicationTypes) {
        expect(mayHold(holder, type)).to.equal(types.includes(holder));
        expect(permissionsFor(holder).includes(type)).to.equal(types.includes(holder));
      }
    }
  });

  it('takes no other spelling, no retired permission and no inherited property for a permission', () => {
    const others = [
      '',
      'TOKEN:READ',
      'token:read ',
      'token:*',
      'token:pci:read:high',
      'toString',
      '__proto__',
    ];
    for (const text of others) expect(isPermission(text), text).to.equal(false);
    for (const text of ['token:', 'proxy:create', 'token:admin'])
      expect(isTokenPermission(text)).to.equal(false);
  });

  it('takes no arbitrary text for a permission', () => {
    const known = new Set<string>(allPermissions.map(({ type }) => type));
    fc.assert(fc.property(fc.string(), (text) => isPermission(text) === known.has(text)));
  });
});
