import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

/**
 * contract/reactors.md#invocation and contract/transforms.md#the-bt-object: code runs with its own reactor's
 * configuration and application.
 */
describe('what code keeps in variables of its module stays', () => {
  const settings = { API_KEY: 'string' };
  /** Keeps what others would call a client; evaluated once for each isolate. */
  const kept = (use: string) => `(() => {
    let kept;
    return async (req) => {
      globalThis.world ??= req.configuration.API_KEY;
      ${use}
    };
  })()`;

  describe('with its reactor', () => {
    const story = reactorStory();
    const { react, reactor } = story;
    const code = kept(`kept ??= req.configuration.API_KEY; return { raw: [kept, globalThis.world] };`);
    const keysOf = async (made: Json): Promise<Json> => (await react(made, {})).json.raw;
    const sibling = async ({ formula }: Json, key: string): Promise<Json> => {
      const body = { name: 'sibling', formula: { id: formula.id }, configuration: { API_KEY: key } };
      return (await story.api.manage('POST', '/reactors', body)).json;
    };

    it('and does not reach another of the same formula', async () => {
      const first = await reactor(code, { settings }, { configuration: { API_KEY: 'key of one' } });
      const second = await sibling(first, 'key of two');
      for (let round = 0; round < 2; round += 1) {
        expect(await keysOf(first)).to.deep.equal(['key of one', 'key of one']);
        expect(await keysOf(second)).to.deep.equal(['key of two', 'key of two']);
      }
    });

    it('until its configuration is changed', async () => {
      const made = await reactor(code, { settings }, { configuration: { API_KEY: 'old key' } });
      expect(await keysOf(made)).to.deep.equal(['old key', 'old key']);
      const body = { name: 'rotated', configuration: { API_KEY: 'new key' } };
      expect((await story.api.manage('PUT', `/reactors/${made.id}`, body)).status).to.equal(200);
      await until('the new key is used', async () => (await keysOf(made))[0] === 'new key');
      expect(await keysOf(made)).to.deep.equal(['new key', 'new key']);
    });

    it('so that a value that one application may read is not read by code of another', async () => {
      const reading = kept(`
        if (kept === undefined && req.bt) kept = (await req.bt.tokens.retrieve(req.args.token)).data;
        return { raw: kept ?? 'nothing' };`);
      const rule = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] };
      const { id } = await story.api.application({ name: 'reader', type: 'private', rules: [rule] });
      const token = await story.api.token({ type: 'token', data: 'secret value' });
      const able = await reactor(reading, {}, { application: { id } });
      const body = { name: 'unable', formula: { id: able.formula.id }, configuration: {} };
      const unable = (await story.api.manage('POST', '/reactors', body)).json;
      expect((await react(able, { token })).json.raw).to.equal('secret value');
      expect((await react(unable, { token })).json.raw).to.equal('nothing');
    });
  });

  describe('with its proxy', () => {
    const story = transformStory();
    const code = kept(`
      kept ??= 'Bearer ' + req.configuration.API_KEY;
      return { body: req.args.body, headers: { Authorization: kept, 'X-World': globalThis.world } };`);

    it('and does not reach another with the same transform', async () => {
      const keys = ['one', 'two'];
      const proxies = await Promise.all(
        keys.map((key) => story.onRequest(code, { configuration: { API_KEY: key } })),
      );
      for (const proxy of [...proxies, ...proxies]) await story.post(proxy);
      const sent = story.destination.received.map(({ headers }) => [
        headers['authorization'],
        headers['x-world'],
      ]);
      const [one, two] = [
        ['Bearer one', 'one'],
        ['Bearer two', 'two'],
      ];
      expect(sent).to.deep.equal([one, two, one, two]);
    });
  });
});
