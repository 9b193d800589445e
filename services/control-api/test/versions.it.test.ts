import { hashKey } from '@glovebox/access/api-key';
import { proxyRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type Body, type TestApi, startTestApi } from './harness/api.ts';
import { openEvents } from './harness/events.ts';
import { expectProblem } from './harness/hostile.ts';
import { openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';
import { listedIn, tagIn, versionsOf } from './harness/version.ts';

const code = (n: number) => `module.exports = async () => ({ raw: ${n} })`;
const patchType = { 'Content-Type': 'application/merge-patch+json' };

/** A kind of resources: its n-th body, and what of it a definition shows. */
interface Kind {
  readonly path: string;
  readonly table: string;
  readonly body: (n: number) => object;
  readonly definition: (n: number) => object;
}

/** contract/versions.md */
describe('versions', () => {
  let api: TestApi;
  let formulaId: string;
  before(async () => {
    api = await startTestApi();
    formulaId = (await api.send('POST /reactor-formulas', { body: formulaBody(0) })).body.id;
  });
  after(() => api[Symbol.asyncDispose]());

  const formulaBody = (n: number) => ({ type: 'private', name: 'issue', code: code(n) });
  const proxyBody = (n: number) => ({
    name: 'ledger',
    destination_url: `https://ledger.example.com/${n}`,
    request_transform: { code: code(n) },
    configuration: { API_KEY: `sk-canary-${n}`, REGION: 'eu' },
  });
  const settingsOf = (changed: boolean) => ({ API_KEY: { changed: true }, REGION: { changed } });
  const kinds: readonly Kind[] = [
    {
      path: '/proxies',
      table: 'proxy_versions',
      body: proxyBody,
      definition: (n) => ({ ...proxyBody(n), configuration: settingsOf(n === 1), require_auth: true }),
    },
    {
      path: '/reactors',
      table: 'reactor_versions',
      body: (n) => ({
        name: `reactor ${n}`,
        formula: { id: formulaId },
        configuration: { API_KEY: `sk-canary-${n}`, REGION: 'eu' },
      }),
      definition: (n) => ({
        name: `reactor ${n}`,
        formula: { id: formulaId },
        configuration: settingsOf(n === 1),
      }),
    },
    {
      path: '/reactor-formulas',
      table: 'reactor_formula_versions',
      body: formulaBody,
      definition: (n) => ({ ...formulaBody(n), configuration: [], request_parameters: [] }),
    },
  ];

  const create = async ({ path, body }: Kind, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await api.send(`POST ${path}`, { body: body(1), headers });
    expect(answer.status, answer.text).to.equal(201);
    return answer;
  };
  const managementKey = async (permissions: readonly string[]): Promise<string> => {
    const body = { name: 'some rights', type: 'management', permissions };
    return (await api.send('POST /applications', { body })).body.key;
  };
  const rowsOf = ({ table }: Kind, id: string) =>
    inDatabase(api.config.databaseUrl.reveal(), `SELECT * FROM ${table} WHERE resource_id = $1`, [id]);
  const put = (address: string, body: object, headers: Record<string, string> = {}) =>
    api.send(`PUT ${address}`, { body, headers });

  for (const kind of kinds) {
    const start = async () => {
      const created = await create(kind);
      const address = `${kind.path}/${created.body.id}`;
      return { id: created.body.id, address, versions: versionsOf(api, address) };
    };

    describe(`of ${kind.path}`, () => {
      it('each change makes the next one, with who made it, when and why', async () => {
        const created = await create(kind, { 'SVC-Comment': 'as agreed' });
        expect(tagIn(created)).to.equal(1);
        const address = `${kind.path}/${created.body.id}`;
        expect(tagIn(await put(address, kind.body(2)))).to.equal(2);
        expect(tagIn(await api.send(`GET ${address}`))).to.equal(2);
        const [second, first] = await versionsOf(api, address).list();
        const actor = (await api.send('GET /applications/key')).body.id;
        const { created_at: createdAt, ...rest } = first!;
        expect(createdAt).to.equal(created.body.created_at);
        expect(rest).to.deep.equal({
          version: 1,
          created_by: actor,
          comment: 'as agreed',
          definition: kind.definition(1),
        });
        expect(second).to.deep.include({ version: 2, created_by: actor, definition: kind.definition(2) });
        expect(second).not.to.have.property('comment');
        expect(await versionsOf(api, address).get(2)).to.deep.equal(second);
      });

      it('a write that changes nothing makes none, and is otherwise a write', async () => {
        const { address, versions } = await start();
        const before = (await put(address, kind.body(2))).body;
        const same = await put(address, kind.body(2), { 'SVC-Comment': 'nothing' });
        expect([same.status, tagIn(same)]).to.deep.equal([200, 2]);
        expect(Date.parse(same.body.modified_at)).to.be.at.least(Date.parse(before.modified_at));
        expect(await versions.numbers()).to.deep.equal([2, 1]);
      });

      it('a restore makes a new version that equals the earlier one', async () => {
        const { address, versions } = await start();
        const { body: before } = await api.send(`GET ${address}`);
        await put(address, kind.body(2));
        const restored = await versions.restore(1, { 'SVC-Comment': 'back' });
        expect(restored.status, restored.text).to.equal(200);
        expect(tagIn(restored)).to.equal(3);
        expect(JSON.parse(restored.text)).to.deep.equal(await versions.get(3));
        expect(await versions.get(3)).to.deep.include({ version: 3, comment: 'back' });
        const {
          modified_by: _by,
          modified_at: _at,
          ...now
        } = (await api.send(`GET ${address}`)).body as Body & { modified_by: string };
        const {
          modified_by: _before,
          modified_at: _then,
          ...then
        } = before as Body & { modified_by: string };
        expect(now).to.deep.equal(then);
        // It is what it was already.
        expect(tagIn(await versions.restore(3))).to.equal(3);
        expect(tagIn(await versions.restore(1))).to.equal(3);
      });

      it('a write with If-Match is refused when another came first, and changes nothing', async () => {
        const { address, versions } = await start();
        await put(address, kind.body(2));
        const stale = { 'If-Match': '"1"' };
        const refused = [
          await put(address, kind.body(3), stale),
          await versions.restore(1, stale),
          await api.send(`DELETE ${address}`, { headers: stale }),
          await put(address, kind.body(3), { 'If-Match': 'W/"2"' }),
        ];
        for (const answer of refused) {
          expectProblem(answer, 412);
          expect(JSON.parse(answer.text)).to.include({ code: 'version_conflict' });
        }
        expect(await versions.numbers()).to.deep.equal([2, 1]);
        for (const [n, tag] of [
          [3, '"2"'],
          [4, '*'],
          [5, '"1" , "4"'],
        ] as const) {
          expect(tagIn(await put(address, kind.body(n), { 'If-Match': tag })), tag).to.equal(n);
        }
        for (const wrong of ['5', '"5', '', '"a" "b"', '*, "5"']) {
          const answer = await put(address, kind.body(6), { 'If-Match': wrong });
          expectProblem(answer, 400);
          expect(answer.body.errors, wrong).to.have.keys('If-Match');
        }
        const deleted = await api.send(`DELETE ${address}`, { headers: { 'If-Match': '"5"' } });
        expect(deleted.status).to.equal(204);
        expectProblem(await put(address, kind.body(6), { 'If-Match': '*' }), 404);
      });

      it('of writers at once who have read the same version one succeeds', async () => {
        const { address, versions } = await start();
        const writers = [2, 3, 4, 5, 6, 7].map((n) => put(address, kind.body(n), { 'If-Match': '"1"' }));
        const statuses = (await Promise.all(writers)).map(({ status }) => status);
        expect(statuses).to.have.members([200, 412, 412, 412, 412, 412]);
        expect(await versions.numbers()).to.deep.equal([2, 1]);
      });

      it('writers at once make versions one after the other, and the last is what is there', async () => {
        const { address, versions } = await start();
        const writers = [2, 3, 4, 5, 6, 7].map(async (n) => ({
          n,
          tag: tagIn(await put(address, kind.body(n))),
        }));
        const written = await Promise.all(writers);
        expect(written.map(({ tag }) => tag)).to.have.members([2, 3, 4, 5, 6, 7]);
        expect(await versions.numbers()).to.deep.equal([7, 6, 5, 4, 3, 2, 1]);
        for (const { n, tag } of written) {
          const { configuration: _, ...definition } = (await versions.get(tag)).definition;
          const { configuration: _own, ...expected } = kind.definition(n) as Record<string, unknown>;
          expect(definition).to.deep.equal(expected);
        }
        const last = written.find(({ tag }) => tag === 7)!;
        expect((await api.send(`GET ${address}`)).body).to.deep.include(
          kind.path === '/reactors' ? { name: `reactor ${last.n}` } : kind.body(last.n),
        );
      });

      it('what was there before the first version was kept is the present one, and is kept by its change', async () => {
        const { id, address, versions } = await start();
        await put(address, kind.body(2));
        const url = api.config.databaseUrl.reveal();
        await inDatabase(url, `DELETE FROM ${kind.table} WHERE resource_id = $1`, [id]);
        const [present, ...others] = await versions.list();
        const definition = {
          ...kind.definition(2),
          ...(kind.path !== '/reactor-formulas' && { configuration: settingsOf(true) }),
        };
        expect(present).to.deep.include({ version: 2, definition });
        expect(others).to.deep.equal([]);
        expect(await versions.get(2)).to.deep.equal(present);
        expect(tagIn(await put(address, kind.body(3)))).to.equal(3);
        const [third, second] = await versions.list();
        expect(third).to.deep.include({ version: 3, definition: kind.definition(3) });
        expect(second).to.deep.equal(present);
      });

      it('the newest 100 are kept', async () => {
        const { id, address, versions } = await start();
        const url = api.config.databaseUrl.reveal();
        await inDatabase(
          url,
          `INSERT INTO ${kind.table} SELECT resource_id, version + n, created_by, created_at, comment, changed_settings, definition
             FROM ${kind.table}, generate_series(1, 119) AS n WHERE resource_id = $1`,
          [id],
        );
        const resources = kind.path.slice(1).replace('-', '_');
        await inDatabase(url, `UPDATE ${resources} SET version = 120 WHERE id = $1`, [id]);
        await put(address, kind.body(2));
        expect(await versions.numbers()).to.deep.equal(Array.from({ length: 100 }, (_, n) => 121 - n));
        expect(await rowsOf(kind, id)).to.have.length(100);
        expectProblem(await api.send(`GET ${address}/versions/21`), 404);
        expectProblem(await versions.restore(21), 404);
      });

      it('a draft takes a number, and leaves everything else as it is', async () => {
        const { id, address, versions } = await start();
        const before = await api.send(`GET ${address}`);
        const drafted = await versions.draft(kind.body(2), { 'SVC-Comment': 'for later' });
        expect(drafted.status, drafted.text).to.equal(201);
        expect(drafted.headers.get('location')).to.equal(`${address}/versions/2`);
        const draft = await versions.get(2);
        expect(JSON.parse(drafted.text)).to.deep.equal(draft);
        expect(draft).to.deep.include({
          version: 2,
          draft: true,
          comment: 'for later',
          definition: kind.definition(2),
        });
        const after = await api.send(`GET ${address}`);
        expect([after.text, tagIn(after)]).to.deep.equal([before.text, 1]);
        const logged = await inDatabase<{ operation: string }>(
          api.config.databaseUrl.reveal(),
          'SELECT operation FROM logs WHERE entity_id = $1 ORDER BY id',
          [id],
        );
        expect(logged.map(({ operation }) => operation)).to.deep.equal(['create', 'create_draft']);
      });

      it('changes take the numbers after the drafts, and a draft can be restored', async () => {
        const { address, versions } = await start();
        await versions.draft(kind.body(2));
        await versions.draft(kind.body(3));
        expect(tagIn(await put(address, kind.body(4)))).to.equal(4);
        expect(tagIn(await put(address, kind.body(4)))).to.equal(4);
        expect(tagIn(await versions.restore(2))).to.equal(5);
        const [fifth, ...earlier] = await versions.list();
        expect(fifth).not.to.have.property('draft');
        expect(fifth).to.deep.include({ version: 5, definition: kind.definition(2) });
        expect(earlier.map(({ version, draft }) => [version, draft])).to.deep.equal([
          [4, undefined],
          [3, true],
          [2, true],
          [1, undefined],
        ]);
      });

      it('a draft is judged as the change that it may become', async () => {
        const { address, versions } = await start();
        const { name: _, ...nameless } = kind.body(2) as { readonly name: string };
        expectProblem(await versions.draft(nameless), 400);
        expectProblem(await versions.draft(kind.body(2), { 'If-Match': '"7"' }), 412);
        const right = kind.path === '/proxies' ? 'proxy' : 'reactor';
        const send = async (permission: string) =>
          api.send(`POST ${address}/versions`, {
            key: await managementKey([`${right}:${permission}`]),
            body: kind.body(2),
          });
        expectProblem(await send('read'), 403);
        const other = await api.newTenant();
        const request = { key: other.managementKey, body: kind.body(2) };
        expectProblem(await api.send(`POST ${address}/versions`, request), 404);
        expect(await versions.numbers()).to.deep.equal([1]);
        // Who may not read is not shown what was stored.
        const stored = await send('update');
        expect(JSON.parse(stored.text)).to.have.all.keys('version', 'created_at', 'created_by', 'draft');
      });

      it('a draft may be a patch of what is there, where a change may be one', async () => {
        const { address, versions } = await start();
        const patched = await versions.draft({ name: 'patched', configuration: { REGION: 'us' } }, patchType);
        if (kind.path === '/reactor-formulas') {
          expectProblem(patched, 415);
          return;
        }
        expect(patched.status, patched.text).to.equal(201);
        expect((await versions.get(2)).definition).to.deep.equal({
          ...kind.definition(2),
          ...kind.definition(1),
          name: 'patched',
          configuration: { API_KEY: { changed: false }, REGION: { changed: true } },
        });
        expect(tagIn(await api.send(`GET ${address}`))).to.equal(1);
        expectProblem(await versions.draft({ name: '' }, patchType), 400);
        expectProblem(await versions.draft({ name: 'late' }, { ...patchType, 'If-Match': '"7"' }), 412);
        expect(tagIn(await versions.restore(2))).to.equal(3);
        const { name, configuration } = JSON.parse((await api.send(`GET ${address}`)).text);
        expect([name, configuration]).to.deep.equal(['patched', { API_KEY: 'sk-canary-1', REGION: 'us' }]);
      });

      it('drafts at the same time get numbers of their own', async () => {
        const { versions } = await start();
        const drafts = await Promise.all([2, 3, 4, 5].map((n) => versions.draft(kind.body(n))));
        expect(drafts.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
        expect(await versions.numbers()).to.deep.equal([5, 4, 3, 2, 1]);
      });

      it('100 are kept, drafts among them, and always the present one', async () => {
        const { id, address, versions } = await start();
        await inDatabase(
          api.config.databaseUrl.reveal(),
          `INSERT INTO ${kind.table} SELECT resource_id, version + n, created_by, created_at, comment, changed_settings,
                  definition, true FROM ${kind.table}, generate_series(1, 99) AS n WHERE resource_id = $1`,
          [id],
        );
        await versions.draft(kind.body(2));
        await versions.draft(kind.body(3));
        const numbers = await versions.numbers();
        expect([numbers.length, numbers[0]]).to.deep.equal([100, 102]);
        expect(await versions.get(1)).to.deep.include({ version: 1, definition: kind.definition(1) });
        expectProblem(await api.send(`GET ${address}/versions/2`), 404);
      });

      it('a change of an earlier release that takes the number of a draft replaces it', async () => {
        const { id, address, versions } = await start();
        await versions.draft(kind.body(2));
        const resources = kind.path.slice(1).replace('-', '_');
        const url = api.config.databaseUrl.reveal();
        await inDatabase(url, `UPDATE ${resources} SET version = 2 WHERE id = $1`, [id]);
        expect(await versions.get(2)).to.deep.include({ definition: (await versions.get(1)).definition });
        expect(tagIn(await put(address, kind.body(3)))).to.equal(3);
        expect((await versions.list()).map(({ version, draft }) => [version, draft])).to.deep.equal([
          [3, undefined],
          [2, undefined],
          [1, undefined],
        ]);
      });

      it('they are listed by cursor, which new ones do not shift', async () => {
        const { address } = await start();
        await put(address, kind.body(2));
        await put(address, kind.body(3));
        const page = await api.send(`GET ${address}/versions?size=2`);
        expect(listedIn(page).map(({ version }) => version)).to.deep.equal([3, 2]);
        const { next } = page.body.pagination as unknown as { readonly next: string };
        await put(address, kind.body(4));
        const rest = await api.send(`GET ${address}/versions?size=2&start=${next}`);
        expect(listedIn(rest).map(({ version }) => version)).to.deep.equal([1]);
        expect(rest.body.pagination).to.deep.equal({ page_size: 2 });
        expectProblem(await api.send(`GET ${address}/versions?start=nonsense`), 400);
      });

      it('they go with what they are of', async () => {
        const { id, address, versions } = await start();
        await put(address, kind.body(2));
        await api.send(`DELETE ${address}`);
        expect(await rowsOf(kind, id)).to.deep.equal([]);
        for (const answer of [
          await api.send(`GET ${address}/versions`),
          await api.send(`GET ${address}/versions/1`),
          await versions.restore(1),
        ]) {
          expectProblem(answer, 404);
        }
      });

      it('they are read with the right to read, and restored with the right to update', async () => {
        const { address } = await start();
        await put(address, kind.body(2));
        const right = kind.path === '/proxies' ? 'proxy' : 'reactor';
        const [reader, writer] = [
          await managementKey([`${right}:read`]),
          await managementKey([`${right}:update`]),
        ];
        const restore = `POST ${address}/versions/1/restore`;
        expectProblem(await api.send(restore, { key: reader }), 403);
        for (const request of [`GET ${address}/versions`, `GET ${address}/versions/1`]) {
          expect((await api.send(request, { key: reader })).status).to.equal(200);
          expectProblem(await api.send(request, { key: writer }), 403);
        }
        // Who may not read is not shown what was restored.
        const restored = await api.send(restore, { key: writer });
        expect(JSON.parse(restored.text)).to.have.all.keys('version', 'created_at', 'created_by');
        const other = await api.newTenant();
        for (const request of [`GET ${address}/versions`, `GET ${address}/versions/1`, restore]) {
          expectProblem(await api.send(request, { key: other.managementKey }), 404);
        }
      });

      it('a restore is in the log by its own name', async () => {
        const { id, versions, address } = await start();
        await put(address, kind.body(2));
        await versions.restore(1);
        const logged = await inDatabase<{ operation: string }>(
          api.config.databaseUrl.reveal(),
          'SELECT operation FROM logs WHERE entity_id = $1 ORDER BY id',
          [id],
        );
        expect(logged.map(({ operation }) => operation)).to.deep.equal(['create', 'update', 'restore']);
      });

      it('a request that is repeated with its idempotency key makes one version, and has its tag', async () => {
        const { address, versions } = await start();
        const headers = { 'SVC-IDEMPOTENCY-KEY': `key-${address}`, 'If-Match': '"1"' };
        const answers = [
          await put(address, kind.body(2), headers),
          await put(address, kind.body(2), headers),
        ];
        expect(answers.map(tagIn)).to.deep.equal([2, 2]);
        expect(answers[1]?.headers.get('svc-idempotent-replay')).to.equal('true');
        expect(await versions.numbers()).to.deep.equal([2, 1]);
      });
    });
  }

  const [proxies, reactors] = kinds as [Kind, Kind];

  it('no value of a configuration is shown, and none is kept in plaintext', async () => {
    const { id } = (await create(proxies)).body;
    await put(`/proxies/${id}`, proxyBody(2));
    const shown = [
      await api.send(`GET /proxies/${id}/versions`),
      await api.send(`GET /proxies/${id}/versions/1`),
      await api.send(`POST /proxies/${id}/versions/1/restore`),
    ].map(({ text }) => text);
    for (const text of [...shown, JSON.stringify(await rowsOf(proxies, id))]) {
      expect(text).not.to.contain('sk-canary');
    }
  });

  it('a value that is what it was has not changed, in a patch neither', async () => {
    const { id } = (await create(proxies)).body;
    const change = (configuration: object) =>
      api.send(`PATCH /proxies/${id}`, { body: { configuration }, headers: patchType });
    expect(tagIn(await change({ API_KEY: 'sk-canary-1' }))).to.equal(1);
    expect(tagIn(await change({ API_KEY: 'sk-canary-1', ZONE: 'b' }))).to.equal(2);
    expect(tagIn(await change({ ZONE: null }))).to.equal(3);
    const marks = (await versionsOf(api, `/proxies/${id}`).list()).map(
      ({ definition }) => definition['configuration'],
    );
    const same = { API_KEY: { changed: false }, REGION: { changed: false } };
    expect(marks).to.deep.equal([same, { ...same, ZONE: { changed: true } }, settingsOf(true)]);
  });

  it('a sealed value that somebody moved to the versions of another reactor does not open', async () => {
    const [one, other] = [(await create(reactors)).body.id, (await create(reactors)).body.id];
    await put(`/reactors/${other}`, reactors.body(2));
    await inDatabase(
      api.config.databaseUrl.reveal(),
      `UPDATE reactor_versions SET definition = (SELECT definition FROM reactor_versions WHERE resource_id = $1)
        WHERE resource_id = $2 AND version = 1`,
      [one, other],
    );
    expectProblem(await versionsOf(api, `/reactors/${other}`).restore(1), 500);
    expect(await versionsOf(api, `/reactors/${other}`).numbers()).to.deep.equal([2, 1]);
  });

  it('what was restored is published before the answer, under the number of the version', async () => {
    using eyes = await openEyes(api.config);
    const { id, key } = (await create(proxies)).body;
    await put(`/proxies/${id}`, proxyBody(2));
    await versionsOf(api, `/proxies/${id}`).restore(1);
    const published = await eyes.find(proxyRecord(hashKey(key)));
    expect(published?.version).to.equal(3);
    const { record } = published!;
    expect(record?.$case === 'proxy' && record.value.destinationUrl).to.equal('https://ledger.example.com/1');
  });

  it('a restore is an update to webhooks', async () => {
    using events = await openEvents(api.config);
    const body = { name: 'w', url: 'https://example.com/hook', events: ['proxy.updated', 'reactor.updated'] };
    const hook = (await api.send('POST /webhooks', { body })).body.id;
    for (const kind of [proxies, reactors]) {
      const { id } = (await create(kind)).body;
      await put(`${kind.path}/${id}`, kind.body(2));
      await versionsOf(api, `${kind.path}/${id}`).restore(1);
      const types = (await events.next(2)).map(({ type }) => type);
      expect(new Set(types)).to.deep.equal(new Set([`${kind === proxies ? 'proxy' : 'reactor'}.updated`]));
    }
    await api.send(`DELETE /webhooks/${hook}`);
  });

  it('a change of its formula makes no version of a reactor, and a restore leaves the formula as it is', async () => {
    const formula = (await api.send('POST /reactor-formulas', { body: formulaBody(1) })).body.id;
    const body = { name: 'r', formula: { id: formula }, configuration: { A: '1' } };
    const { id } = (await api.send('POST /reactors', { body })).body;
    await put(`/reactors/${id}`, { ...body, name: 'r2' });
    await put(`/reactor-formulas/${formula}`, formulaBody(2));
    expect(tagIn(await api.send(`GET /reactors/${id}`))).to.equal(2);
    const restored = await versionsOf(api, `/reactors/${id}`).restore(1, { 'If-Match': '"2"' });
    expect(tagIn(restored)).to.equal(3);
    expect((await api.send(`GET /reactors/${id}`)).body.formula).to.include({ code: code(2) });
    // What the formula has come to require, the earlier version lacks.
    const requiring = { ...formulaBody(2), configuration: [{ name: 'B', type: 'string' }] };
    await put(`/reactor-formulas/${formula}`, requiring);
    const refused = await versionsOf(api, `/reactors/${id}`).restore(2);
    expectProblem(refused, 400);
    expect(refused.body.errors).to.have.keys('configuration.B');
  });

  it("a reactor's own code is part of its versions", async () => {
    const { id } = (await api.send('POST /reactors', { body: { name: 'own', code: code(1) } })).body;
    const versions = versionsOf(api, `/reactors/${id}`);
    const own = (n: number) =>
      api.send(`PATCH /reactors/${id}`, { body: { code: code(n) }, headers: patchType });
    expect(tagIn(await own(1))).to.equal(1);
    expect(tagIn(await own(2))).to.equal(2);
    expect((await versions.get(1)).definition).to.deep.equal({
      name: 'own',
      code: code(1),
      configuration: {},
    });
    expect(tagIn(await versions.restore(1))).to.equal(3);
    expect((await api.send(`GET /reactors/${id}`)).body).to.include({ code: code(1) });
  });

  it('a version of a proxy is restored with the application that it had, unless that is gone', async () => {
    const application = (
      await api.send('POST /applications', {
        body: { name: 'a', type: 'private', permissions: ['token:use'] },
      })
    ).body.id;
    const body = { ...proxyBody(1), application: { id: application } };
    const { id } = (await api.send('POST /proxies', { body })).body;
    await put(`/proxies/${id}`, proxyBody(2));
    await versionsOf(api, `/proxies/${id}`).restore(1);
    expect((await api.send(`GET /proxies/${id}`)).body.application_id).to.equal(application);
    await put(`/proxies/${id}`, proxyBody(3));
    await api.send(`DELETE /applications/${application}`);
    const restored = await versionsOf(api, `/proxies/${id}`).restore(1);
    expect(restored.status, restored.text).to.equal(200);
    expect((await api.send(`GET /proxies/${id}`)).body).not.to.have.property('application_id');
  });

  it('a comment is up to 500 printable characters in UTF-8', async () => {
    const { id } = (await create(proxies)).body;
    const asBytes = (text: string) => Buffer.from(text).toString('latin1');
    const change = (n: number, comment: string, name = 'SVC-Comment') =>
      put(`/proxies/${id}`, proxyBody(n), { [name]: comment });
    for (const [n, name, comment] of [
      [2, 'SVC-Comment', 'Für Öl — 😀'],
      [3, 'BT-Comment', 'x'.repeat(500)],
    ] as const) {
      expect((await change(n, asBytes(comment), name)).status).to.equal(200);
      expect((await versionsOf(api, `/proxies/${id}`).get(n)).comment).to.equal(comment);
    }
    const wrong = ['x'.repeat(501), asBytes('\u0085'), asBytes('a\u202eb'), '\u00e9'];
    for (const comment of wrong) {
      const refused = await change(4, comment);
      expectProblem(refused, 400);
      expect(refused.body.errors, comment).to.have.keys('SVC-Comment');
    }
    expect(await versionsOf(api, `/proxies/${id}`).numbers()).to.deep.equal([3, 2, 1]);
  });

  it('a malformed version number is a 404', async () => {
    const { id } = (await create(proxies)).body;
    for (const version of ['0', '-1', '01', '1.5', 'x', '9'.repeat(15), '9'.repeat(30)]) {
      expectProblem(await api.send(`GET /proxies/${id}/versions/${version}`), 404);
      expectProblem(await api.send(`POST /proxies/${id}/versions/${version}/restore`), 404);
    }
  });
});
