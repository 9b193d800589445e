import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, ownerRule } from './harness/fixture.ts';

/** Comes close everywhere in a text of the same letter. */
const pattern = `b${'a'.repeat(900)}`;
const text = 'a'.repeat(50_000);

describe('an evaluation that takes long', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const foreigner = async () => {
    const tenantId = await fixture.publisher.tenant();
    const other = await fixture.publisher.application({ tenantId, rules: [ownerRule] });
    const { id } = await fixture.gateway.create(other, { type: 'token', data: 'theirs' });
    return { other, id: String(id) };
  };

  /** Who is answered first, of calls that are made in this order. */
  const orderOf = async (calls: Readonly<Record<string, () => Promise<unknown>>>) => {
    const order: string[] = [];
    await Promise.all(Object.entries(calls).map(([name, call]) => call().finally(() => order.push(name))));
    return order;
  };

  it('of 8 KB of expressions that search keeps no other tenant waiting', async () => {
    const { gateway, owner } = fixture;
    const { other, id: theirs } = await foreigner();
    const id = await fixture.token(text);
    const expressions = Array.from(
      { length: 6 },
      (_, at) => `${id} | replace_last: '${pattern}', '${at}' | size`,
    );
    const order = await orderOf({
      long: async () => expect(await gateway.use(owner, expressions)).to.deep.equal(Array(6).fill(50_000)),
      other: async () => expect(await gateway.use(other, [theirs])).to.deep.equal(['theirs']),
    });
    expect(order).to.deep.equal(['other', 'long']);
  });

  it('of one tenant again and again lets another in between, and one of its own that is short', async () => {
    const { gateway, owner } = fixture;
    const { other, id: theirs } = await foreigner();
    const id = await fixture.token(text);
    const expressions = (call: number) =>
      Array.from({ length: 6 }, (_, at) => `${id} | replace: '${pattern}', '${call}${at}' | size`);
    // So many that a pause of the machine does not let most of them end first.
    const calls = Array.from({ length: 12 }, (_, call) => [
      `long ${call}`,
      () => gateway.use(owner, expressions(call)),
    ]);
    const order = await orderOf({
      ...Object.fromEntries(calls),
      'long of another': () =>
        gateway.use(
          other,
          expressions(99).map((one) => one.replace(id, theirs)),
        ),
      short: () => gateway.use(owner, [id]),
    });
    expect(order.indexOf('short')).to.be.at.most(3);
    expect(order.indexOf('long of another')).to.be.at.most(3);
  });

  it('of one tenant many times in a frame is answered after the first of another, which came last', async () => {
    const { gateway, owner } = fixture;
    const { other, id: theirs } = await foreigner();
    const id = await fixture.token(text);
    const calls = Array.from({ length: 40 }, (_, call) => [
      `call ${call}`,
      () => gateway.use(owner, [`${id} | replace: '${pattern}', '${call}' | size`]),
    ]);
    const order = await orderOf({ ...Object.fromEntries(calls), other: () => gateway.use(other, [theirs]) });
    expect(order.indexOf('other')).to.be.at.most(4);
  });

  it('for a pattern out of a header of the request is bounded like any other', async () => {
    const { gateway, owner } = fixture;
    const { other, id: theirs } = await foreigner();
    const id = await fixture.token(text);
    const variables = (wanted: string) => ({
      proxy: {
        keyHash: '',
        version: 0,
        encrypted: '',
        variables: Buffer.from(JSON.stringify({ proxy: { request: { headers: { 'X-Pattern': wanted } } } })),
      },
    });
    const uses = ['replace', 'replace_first', 'replace_last', 'remove', 'remove_last', 'split'].map(
      (filter) => `${id} | ${filter}: proxy.request.headers.X-Pattern | size`,
    );
    const purposeId = '';
    const order = await orderOf({
      long: async () => {
        const sizes = await gateway.use(owner, uses, {}, { ...variables(`b${'a'.repeat(4000)}`), purposeId });
        expect(sizes).to.deep.equal([...Array<number>(5).fill(50_000), 1]);
      },
      other: () => gateway.use(other, [theirs]),
    });
    expect(order).to.deep.equal(['other', 'long']);
    const refused = gateway.use(owner, uses.slice(0, 1), {}, { ...variables('a'.repeat(20_000)), purposeId });
    expect((await failureOf(refused)).message).to.equal(
      'Filter replace: the text to search for is longer than 4096 characters.',
    );
  });

  it('ends when the caller no longer waits for it', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token(text);
    const expressions = Array.from({ length: 6 }, (_, at) => `${id} | replace: '${pattern}', '${at}' | size`);
    const failure: unknown = await gateway
      .use(owner, expressions, { timeoutMs: 1 })
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(AppError).with.property('code', 'deadline_exceeded');
    expect(await gateway.use(owner, [id])).to.deep.equal([text]);
  });

  it('of the masks of one page leaves their share to the others', async () => {
    const { gateway, publisher, tenantId } = fixture;
    const [container, costly] = ['/masked/', '<a>'.repeat(60_000)];
    const viewer = await publisher.application({
      tenantId,
      rules: [{ container: '/', transform: 'mask', permissions: ['token:read'] }],
    });
    const mask = '{{ data | strip_html | size }}';
    await Promise.all(
      [costly, costly, costly, costly].map((data) => fixture.token(data, { mask, containers: [container] })),
    );
    const cheap = await fixture.token('4242', {
      mask: '{{ data | reveal_last: 2 }}',
      containers: [container],
    });
    const { data } = await gateway.list(viewer, `container=${encodeURIComponent(container)}`);
    expect(data.find(({ id }) => id === cheap)).to.have.property('data', 'XX42');
  });

  it('of the masks of one page is bounded for all of them together', async () => {
    const { gateway, publisher, tenantId } = fixture;
    const viewer = await publisher.application({
      tenantId,
      rules: [{ container: '/', transform: 'mask', permissions: ['token:read'] }],
    });
    // About 100,000 units each: one of 50 may do as much, and one of 100 may not.
    const [container, data] = ['/costly/', '123-456-'.repeat(1000)];
    const mask = "{{ data | reveal: 0, 4, 'X', '-' }}";
    await Promise.all(
      Array.from({ length: 100 }, () => fixture.token(data, { mask, containers: [container] })),
    );
    const shownOf = async (size: number) => {
      const page = await gateway.list(viewer, `size=${size}&container=${encodeURIComponent(container)}`);
      return page.data.filter((token) => Object.hasOwn(token, 'data')).length;
    };
    expect([await shownOf(100), await shownOf(50)]).to.deep.equal([0, 50]);
  });

  it('of masks of large data leaves small tokens theirs, and gets what they leave', async () => {
    const { gateway, publisher, tenantId } = fixture;
    const container = '/sizes/';
    const viewer = await publisher.application({
      tenantId,
      rules: [{ container: '/', transform: 'mask', permissions: ['token:read'] }],
    });
    // About a million units each: an equal part of 44 would be an eighth of that.
    const large = Array.from({ length: 12_000 }, (_, at) => ({ a: at }));
    const masked = { mask: '{{ data[0].a }}', containers: [container] };
    for (const data of [large, ...Array.from({ length: 40 }, (_, at) => [{ a: at }]), large, large, large])
      await fixture.token(data, masked);
    const { data } = await gateway.list(viewer, `size=100&container=${encodeURIComponent(container)}`);
    expect(data).to.have.length(44);
    expect(data.filter((token) => !Object.hasOwn(token, 'data'))).to.deep.equal([]);
  });

  it('of usual masks is done for every token of the largest page', async () => {
    const { gateway, publisher, tenantId } = fixture;
    const container = '/usual/';
    const viewer = await publisher.application({
      tenantId,
      rules: [{ container: '/', transform: 'mask', permissions: ['token:read'] }],
    });
    const masks = [
      '{{ data | reveal_last: 4 }}',
      "{{ data | reveal: 0, 4, 'X', '-' }}",
      '{{ data | url_encode }}',
    ];
    const long = '123-456-'.repeat(250);
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        fixture.token(long, { mask: masks[at % masks.length], containers: [container] }),
      ),
    );
    const { data } = await gateway.list(viewer, `size=100&container=${encodeURIComponent(container)}`);
    expect(data).to.have.length(100);
    expect(data.filter((token) => !Object.hasOwn(token, 'data'))).to.deep.equal([]);
  });
});
