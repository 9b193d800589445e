import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { EventInbox } from '../src/event-inbox.ts';
import { EventSink } from '../src/event-sink.ts';
import { redisNames } from '../src/keys.ts';
import { defaultInboxRoom } from '../src/waiting-events.ts';
import type { EventBody } from '../src/webhook-events.ts';

const anEvent = (): EventBody => ({
  id: randomUUID(),
  type: 'proxy.created',
  timestamp: new Date().toISOString(),
  tenant_id: randomUUID(),
  trace_id: 'trace',
  data: { id: 'é', actor: { type: 'system' } },
});

describe('the inbox of events over a real Redis', () => {
  let server: RunningRedis;
  let redis: Redis;
  const names = redisNames('inbox-test');
  before(async () => {
    server = await startRedis({ ephemeral: true });
    redis = createRedis({
      url: new Secret(server.url),
      connectionName: 'inbox-test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await once(redis, 'ready');
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(() => redis.del(names.events, names.eventsTaken, names.eventsOfTenants));

  it('gives each event to one taker, in order, and never again once that one is done', async () => {
    const inbox = new EventInbox(redis, names);
    const events = [anEvent(), anEvent(), anEvent()];
    expect(await inbox.put(events)).to.equal(3);
    const first = await inbox.take(2);
    const second = await new EventInbox(redis, names).take(2);
    expect([...first, ...second].map(({ event }) => event)).to.deep.equal(events);
    await inbox.done([...first, ...second]);
    expect(await redis.exists(names.events, names.eventsTaken, names.eventsOfTenants)).to.equal(0);
  });

  it('takes a stored event for put when as many replicas have it as are wanted', async () => {
    const inbox = new EventInbox(redis, names, defaultInboxRoom, 1);
    const failure = await inbox.put([anEvent()]).catch(({ message }: Error) => message);
    expect(failure).to.match(/^0 replicas of 1/);
    // Those that are in no database are lost with Redis anyway.
    expect(await inbox.putFromMemory([anEvent()])).to.equal(1);
  });

  it('gives what a dead taker had to another one', async () => {
    const inbox = new EventInbox(redis, names);
    await inbox.put([anEvent()]);
    const taken = await inbox.take(10);
    expect(await inbox.take(10)).to.deep.equal([]);
    await redis.zadd(names.eventsTaken, Date.now() - 1, taken[0]?.text ?? '');
    expect(await inbox.take(10)).to.deep.equal(taken);
  });

  it('takes the first ones when it has no room for all', async () => {
    const inbox = new EventInbox(redis, names);
    await redis.rpush(names.events, ...Array.from({ length: defaultInboxRoom - 1 }, String));
    expect(await inbox.put([anEvent(), anEvent()])).to.equal(1);
    expect(await inbox.put([anEvent()])).to.equal(0);
  });

  it('gets events that no request waits for soon, and lost ones are counted', async () => {
    const inbox = new EventInbox(redis, names);
    const lost: [string, number][] = [];
    const metrics = {
      handedOn: () => undefined,
      lost: (why: string, count: number) => lost.push([why, count]),
    };
    const sink = new EventSink(inbox, metrics);
    const events = Array.from({ length: 1001 }, anEvent);
    for (const event of events) sink.emit(event);
    await sink[Symbol.asyncDispose]();
    expect(await redis.llen(names.events)).to.equal(1000);
    expect(lost).to.deep.equal([['buffer', 1]]);
    await redis.rpush(names.events, ...Array.from({ length: defaultInboxRoom / 2 - 1001 }, String));
    for (const event of [anEvent(), anEvent(), anEvent()]) sink.emit(event);
    await sink[Symbol.asyncDispose]();
    expect(lost.at(-1)).to.deep.equal(['inbox', 2]);
    const broken = new EventSink({ putFromMemory: () => Promise.reject(new Error('away')) }, metrics);
    broken.emit(anEvent());
    await broken[Symbol.asyncDispose]();
    expect(lost.at(-1)).to.deep.equal(['redis', 1]);
  });

  it('keeps room for what was kept with a change', async () => {
    const inbox = new EventInbox(redis, names);
    await redis.rpush(names.events, ...Array.from({ length: defaultInboxRoom / 2 }, String));
    expect(await inbox.putFromMemory([anEvent()])).to.equal(0);
    expect(await inbox.put([anEvent()])).to.equal(1);
  });

  it('takes of one tenant no more than its share of what is emitted from memory, and as much again when that is done', async () => {
    const inbox = new EventInbox(redis, names, 80);
    const [eager, other] = [randomUUID(), randomUUID()];
    const of = (tenantId: string, count: number) =>
      Array.from({ length: count }, () => ({ ...anEvent(), tenant_id: tenantId }));
    expect(await inbox.putFromMemory([...of(eager, 12), ...of(other, 3)])).to.equal(10 + 3);
    expect(await inbox.put(of(eager, 2))).to.equal(2);
    await inbox.done(await inbox.take(5));
    expect(await inbox.putFromMemory(of(eager, 12))).to.equal(3);
  });

  it('counts anew when it is empty, whatever was counted', async () => {
    const inbox = new EventInbox(redis, names, 80);
    const event = anEvent();
    await redis.hset(names.eventsOfTenants, event.tenant_id, 1000);
    expect(await inbox.putFromMemory([event])).to.equal(1);
  });

  it('holds no more than 4 KiB of an event: what is larger is emitted by its id and its actor', async () => {
    const inbox = new EventInbox(redis, names);
    const actor = { type: 'system' } as const;
    const eventWith = (note: string) => ({ ...anEvent(), data: { id: 'i', note, actor } });
    const short = eventWith('é'.repeat(1000));
    const long = eventWith('é'.repeat(2000));
    await inbox.put([short, long]);
    const taken = await inbox.take(2);
    expect(taken.map(({ event }) => event)).to.deep.equal([short, { ...long, data: { id: 'i', actor } }]);
  });

  it('holds an event that is sent again as whole as it was at first', async () => {
    const inbox = new EventInbox(redis, names);
    const event = (note: string) => ({
      ...anEvent(),
      data: { id: 'i', note, actor: { id: randomUUID(), type: 'application' } as const },
    });
    const spare = 4096 - Buffer.byteLength(JSON.stringify(event('')));
    const first = event('x'.repeat(spare));
    const again = {
      ...first,
      data: { ...first.data, actor: { ...first.data.actor, name: 'é'.repeat(200) } },
      target: { webhook_id: randomUUID(), sending_id: randomUUID() },
    };
    const endless = {
      ...again,
      data: { ...again.data, actor: { ...again.data.actor, name: 'é'.repeat(2000) } },
    };
    await inbox.put([first, again, endless]);
    const { id, actor } = endless.data;
    const taken = (await inbox.take(3)).map(({ event: held }) => held);
    expect(taken).to.deep.equal([first, again, { ...endless, data: { id, actor } }]);
  });

  it('gets a tenant’s events only up to its share of those that a process holds', async () => {
    let lost = 0;
    const metrics = { handedOn: () => undefined, lost: (_: string, count: number) => void (lost += count) };
    const inbox = new EventInbox(redis, names);
    await using sink = new EventSink(inbox, metrics);
    const tenant_id = randomUUID();
    const tellAll = () => {
      for (let i = 0; i < 1000; i += 1) sink.emit({ ...anEvent(), tenant_id });
      sink.emit(anEvent());
    };
    tellAll();
    await sink[Symbol.asyncDispose]();
    expect([await redis.llen(names.events), lost]).to.deep.equal([251, 750]);
    tellAll();
    await sink[Symbol.asyncDispose]();
    expect([await redis.llen(names.events), lost]).to.deep.equal([502, 1500]);
  });
});
