import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';

interface Template extends Body {
  readonly application_type: string;
  readonly template_type: string;
  readonly permissions?: string[];
  readonly rules?: object[];
}

describe('application templates', () => {
  let api: TestApi;
  let templates: Template[];

  before(async () => {
    api = await startTestApi();
    const answer = await api.send('GET /application-templates/', { key: api.tenant.publicKey });
    expect(answer.status).to.equal(200);
    templates = JSON.parse(answer.text) as Template[];
  });

  after(() => api[Symbol.asyncDispose]());

  it('are a bare array for any key, with one of each kind at least', async () => {
    const kinds = new Set(templates.map((template) => template.template_type));
    expect([...kinds]).to.have.members(['starters', 'payments', 'banking', 'pii', 'management']);
    for (const template of templates) {
      expect(template).to.include.all.keys('id', 'name', 'description', 'application_type', 'is_starter');
    }
  });

  it('each of them makes an application that holds what it says', async () => {
    for (const { name, application_type: type, permissions = [], rules = [] } of templates) {
      const answer = await api.send('POST /applications', { body: { name, type, permissions, rules } });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body).to.deep.include({ name, type, permissions, rules });
    }
  });

  it('one is found by its id; another id is a 404', async () => {
    const [first] = templates;
    const key = api.tenant.privateKey;
    expect((await api.send(`GET /application-templates/${first?.id}`, { key })).body).to.deep.equal(first);
    for (const id of ['7d9f8a52-0000-4000-8000-000000000000', 'x', '%00']) {
      expectProblem(await api.send(`GET /application-templates/${id}`), 404);
    }
  });

  it('need a key', async () => {
    expectProblem(await api.send('GET /application-templates', { key: null }), 401);
    expectProblem(await api.send(`GET /application-templates/${templates[0]?.id}`, { key: 'key_x' }), 401);
  });
});
