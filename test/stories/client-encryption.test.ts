import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type System, sharedSystem } from '../harness/system.ts';

describe('encryption by clients', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let management: string;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    management = system.dev.management_api_key;
  });

  it('begins with a key, whose public half is shown until it is deleted', async () => {
    const made = await api.send('POST', '/keys', { key: management, body: { encoding: 'PEM' } });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json;
    expect(made.headers['location']).to.equal(`/keys/${id}`);
    expect(made.json.public_key_pem).to.match(/^-----BEGIN PUBLIC KEY-----/);
    expect(made.text).to.not.match(/PRIVATE|"d"/);
    const got = await api.send('GET', `/keys/${id}/`, { key: management });
    expect(got.json).to.deep.equal(made.json);
    const listed = await api.send('GET', '/keys?size=1', { key: management });
    expect(listed.json.data).to.deep.equal([made.json]);
    expect((await api.send('DELETE', `/keys/${id}`, { key: management })).status).to.equal(204);
    expect((await api.send('GET', `/keys/${id}`, { key: management })).status).to.equal(404);
    const logs = await api.send('GET', `/logs?entity_type=key&entity_id=${id}`, { key: management });
    expect(logs.json.data.map(({ message }: { message: string }) => message)).to.deep.equal([
      'Key deleted',
      'Key created',
    ]);
  });

  it('needs no body for a key, and none of a type', async () => {
    const { status, json, text } = await api.send('POST', '/keys', { key: management });
    expect(status, text).to.equal(201);
    expect(json.public_key_jwk.kid).to.equal(json.id);
    await api.send('DELETE', `/keys/${json.id}`, { key: management });
  });
});
