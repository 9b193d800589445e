import { expect } from 'chai';

import { declarationsOf } from '../gen/code-page.ts';
import { packagesAreReady } from '../harness/packages-are-ready.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { transformStory } from '../harness/transform-story.ts';

/** What a member of `req` looks like from within. */
const shapeOf = `
  const shapeOf = (value) => value === null || typeof value !== 'object' ? [] : Object.keys(value).sort();
`;

describe('the types of code', () => {
  const story = transformStory();
  before(async function () {
    this.timeout(180_000);
    await packagesAreReady(await sharedSystem());
  });
  const declared = new Map(
    ['transform.d.ts', 'reactor.d.ts', 'bt.d.ts'].flatMap(declarationsOf).map((it) => [it.name, it]),
  );
  const membersOf = (name: string) => (declared.get(name)?.members ?? []).map((member) => member.name).sort();
  const application = async () => {
    const made = await story.api.application({
      name: 'types',
      type: 'private',
      permissions: ['token:create'],
    });
    return { id: made.id };
  };

  it('name what a request transform receives, and nothing else', async () => {
    const code = `async (req) => {${shapeOf} return { body: [req, req.args].map(shapeOf) }; }`;
    await story.post(await story.onRequest(code, { application: await application() }));
    expect(story.onlyJson()).to.deep.equal(
      ['RequestTransformRequest', 'RequestTransformArgs'].map(membersOf),
    );
  });

  it('name what a response transform receives, and nothing else', async () => {
    const code = `async (req) => {${shapeOf} return { body: [req, req.args].map(shapeOf) }; }`;
    story.answering('application/json', '{}');
    const { json } = await story.post(await story.onResponse(code, { application: await application() }));
    expect(json).to.deep.equal(['ResponseTransformRequest', 'ResponseTransformArgs'].map(membersOf));
  });

  it('say what bt is without an application', async () => {
    await story.post(await story.onRequest(`(req) => ({ body: [String(req.bt)] })`));
    expect(story.onlyJson()).to.deep.equal(['undefined']);
    const reactor = await createReactor(story.api, `(req) => ({ raw: req.bt })`);
    const { json } = await story.api.send('POST', `/reactors/${reactor.id}/react`, {
      key: story.key,
      body: {},
    });
    expect(json).to.deep.equal({ raw: null });
  });

  it('name what a reactor receives, and only calls that bt has', async () => {
    const calls = ['Bt', 'BtTokens', 'BtReactors'].flatMap((name) => {
      const inside = name === 'Bt' ? 'bt' : `bt.${name.slice(2).toLowerCase()}`;
      return membersOf(name)
        .filter((member) => !['tokens', 'reactors'].includes(member))
        .map((member) => `${inside}.${member}`);
    });
    const code = `async ({ bt, ...rest }) => ({
      raw: { req: ['bt', ...Object.keys(rest)].sort(), types: [${calls.map((call) => `typeof ${call}`).join()}] },
    })`;
    const reactor = await createReactor(story.api, code, {}, { application: await application() });
    const { json } = await story.api.send('POST', `/reactors/${reactor.id}/react`, {
      key: story.key,
      body: { args: {} },
    });
    expect(json.raw.req).to.deep.equal(membersOf('ReactorRequest'));
    expect(calls).to.have.length.above(12);
    expect(json.raw.types).to.deep.equal(calls.map(() => 'function'));
    expect(Object.keys(json)).to.deep.equal(['raw']);
  });
});
