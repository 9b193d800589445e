import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { compileGrants } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { ApplicationRecord, ProxyRecord, ReactorRecord } from '@glovebox/published/records';
import { expect } from 'chai';

import { authorizeInvoker } from './authorize-invoker.ts';

const apiKey = generateApiKey();

function application(permissions: string[], tenantId = 't', transform = 'reveal'): ApplicationRecord {
  const rule = { priority: 1, container: '/a/', transform, permissions: ['token:use'] };
  const grants = compileGrants(permissions, permissions.length === 0 ? [rule] : []);
  return { version: 1, principal: { tenantId, applicationId: 'a', applicationType: 'private', grants } };
}

/** `may`, or the code of the refusal. */
async function authorize(
  record: ApplicationRecord | undefined,
  key: string | Delegation = apiKey,
): Promise<string> {
  const owner = { tenantId: record?.principal.tenantId, applicationId: 'of a later version' };
  const published = {
    applicationByKeyHash: (hash: string) => (hash === hashKey(apiKey) ? record : undefined),
    applicationById: (id: string) => (id === 'a' ? record : undefined),
    proxyByKeyHash: (hash: string) => (hash === 'h' ? (owner as ProxyRecord) : undefined),
    reactorById: (id: string) => (id === 'r' ? (owner as ReactorRecord) : undefined),
    tenantOfTrial: async (id: string, trial: string) => (id === 'a' && trial === 'signed' ? 't' : undefined),
  };
  try {
    await authorizeInvoker(published, { credential: key }, { tenantId: 't' });
    return 'may';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('who may invoke a reactor', () => {
  it('is an application of its tenant that may use tokens, wherever that is', async () => {
    expect(await authorize(application(['token:use']))).to.equal('may');
    expect(await authorize(application([]))).to.equal('may');
  });

  it('is nobody else', async () => {
    expect(await authorize(undefined)).to.equal('unauthenticated');
    for (const key of ['', 'not a key', generateApiKey(), 'x'.repeat(200)]) {
      expect(await authorize(application(['token:use']), key)).to.equal('unauthenticated');
    }
    expect(await authorize(application(['token:use'], 'another'))).to.equal('not_found');
    expect(await authorize(application(['token:read', 'reactor:read']))).to.equal('permission_denied');
    expect(await authorize(application([], 't', 'later'))).to.equal('permission_denied');
  });

  it('is an application that may use tokens in any view: the vault decides on each token', async () => {
    expect(await authorize(application([], 't', 'mask'))).to.equal('may');
    expect(await authorize(application([], 't', 'redact'))).to.equal('may');
  });

  it('is code that is tried, as the application for which its trial is signed', async () => {
    const tried = (value: string): Delegation => ({
      owner: { $case: 'trial', value },
      version: 0,
      applicationId: 'a',
    });
    expect(await authorize(application(['token:use']), tried('signed'))).to.equal('may');
    expect(await authorize(application(['token:use'], 'another'), tried('signed'))).to.equal(
      'unauthenticated',
    );
    expect(await authorize(application(['token:use']), tried('forged'))).to.equal('unauthenticated');
  });

  it('is user code, if the application that its version acts as may', async () => {
    const delegations: Delegation[] = [
      { owner: { $case: 'proxyKeyHash', value: 'h' }, version: 1, applicationId: 'a' },
      { owner: { $case: 'reactorId', value: 'r' }, version: 1, applicationId: 'a' },
    ];
    for (const delegation of delegations) {
      expect(await authorize(application(['token:use']), delegation)).to.equal('may');
      expect(await authorize(application(['token:create']), delegation)).to.equal('permission_denied');
      expect(await authorize(application(['token:use'], 'another'), delegation)).to.equal('not_found');
      expect(await authorize(application(['token:use']), { ...delegation, applicationId: '' })).to.equal(
        'unauthenticated',
      );
      expect(await authorize(application(['token:use']), { ...delegation, applicationId: 'gone' })).to.equal(
        'unauthenticated',
      );
      expect(await authorize(undefined, delegation)).to.equal('unauthenticated');
    }
    const unknown: Delegation = {
      owner: { $case: 'proxyKeyHash', value: 'another' },
      version: 1,
      applicationId: 'a',
    };
    expect(await authorize(application(['token:use']), unknown)).to.equal('unauthenticated');
    expect(await authorize(application(['token:use']), { ...unknown, owner: undefined })).to.equal(
      'unauthenticated',
    );
  });
});
