import { expect } from 'chai';

import { missingPermission } from './missing-permission.ts';
import type { HolderType, Permission } from './permission.ts';
import { compileGrants } from './rules.ts';

const messageFor = (permission: Permission, applicationType: HolderType) =>
  missingPermission(permission, {
    tenantId: 't',
    applicationId: 'a',
    applicationType,
    grants: compileGrants([], []),
  });

describe('a permission that is missing', () => {
  it('is named', () => {
    expect(messageFor('token:use', 'private')).to.equal('The permission token:use is required.');
    expect(messageFor('token:use', 'session')).to.equal('The permission token:use is required.');
    expect(messageFor('proxy:read', 'management')).to.equal('The permission proxy:read is required.');
  });

  it('that such a key can never have leads to the keys that can', () => {
    expect(messageFor('token:use', 'management')).to.equal(
      'The permission token:use is required. Only a private application can hold it, and this is the key of a management application.',
    );
    expect(messageFor('proxy:create', 'session')).to.match(
      /Only a management application .* key of a session\.$/,
    );
    expect(messageFor('token:create', 'expiring')).to.include(
      'Only a private application or a public application can hold it',
    );
  });
});
