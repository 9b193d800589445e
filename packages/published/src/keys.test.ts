import { slotOf } from '@glovebox/platform/db/slot-of';
import { expect } from 'chai';

import { type RedisNames, redisNames } from './keys.ts';

describe('names in Redis', () => {
  const plain = redisNames('glovebox');
  const cluster = redisNames({ prefix: 'glovebox', isCluster: true });

  it('are on one server those of every release so far', () => {
    expect([
      plain.record('proxy:h'),
      plain.session('application:h'),
      plain.sessionNonce('n'),
      plain.liveSessions('t'),
      plain.uses('t', 'a'),
      plain.asyncRequest('t', 'r'),
      plain.asyncOpen('t'),
      plain.asyncOpenOfAll,
      plain.asyncOpenOf('t'),
      plain.asyncKept('t'),
      plain.queue('q'),
      plain.deliveriesOpenOf('e'),
      plain.turn,
      plain.signedMarker,
      plain.events,
    ]).to.deep.equal([
      'glovebox:record:proxy:h',
      'glovebox:session:application:h',
      'glovebox:session-nonce:n',
      'glovebox:sessions-live:t',
      'glovebox:uses:a',
      'glovebox:async:request:r',
      'glovebox:async:open',
      'glovebox:async:open',
      'glovebox:async:open:t',
      'glovebox:async:kept:t',
      'glovebox:bull',
      'glovebox:deliveries:open:e',
      'glovebox:turn',
      'glovebox:signed-marker',
      'glovebox:events',
    ]);
  });

  it('are in one slot of a cluster where one script touches them', () => {
    const together: Readonly<Record<string, (names: RedisNames) => string[]>> = {
      published: (names) => [
        names.turn,
        names.marker,
        names.signedMarker,
        names.record('proxy:one'),
        names.record('tenant:two'),
      ],
      sessions: (names) => [
        names.sessionNonce('n'),
        names.session('application:h'),
        names.session('application-id:i'),
        names.waitingSessions('a'),
        names.liveSessions('t'),
      ],
      uses: (names) => [names.uses('t', 'a'), names.usedTokens('t', 'a'), names.uses('t', 'another')],
      async: (names) => [
        names.asyncRequest('t', 'r'),
        names.asyncOpen('t'),
        names.asyncOpenOf('t'),
        names.asyncKept('t'),
        names.asyncSizes('t'),
      ],
      events: (names) => [names.events, names.eventsTaken, names.eventsOfTenants],
      deliveries: (names) => [names.deliveries('w'), names.deliveryRecords('w')],
      'open deliveries': (names) => [names.deliveriesOpen, names.deliveriesOpenOf('e')],
      queue: (names) => [`${names.queue('q')}:q:wait`, `${names.queue('q')}:q:1`],
    };
    for (const [what, of] of Object.entries(together)) {
      expect(new Set(of(cluster).map(slotOf)), what).to.have.length(1);
      expect(new Set(of(plain).map(slotOf)).size, what).to.be.greaterThan(1);
    }
  });

  it('of tenants spread over the slots of a cluster', () => {
    const tenants = Array.from({ length: 100 }, (_, at) => `tenant-${at}`);
    const slots = new Set(tenants.map((tenant) => slotOf(cluster.asyncRequest(tenant, 'r'))));
    expect(slots.size).to.be.greaterThan(90);
    expect(cluster.asyncRequest('t', 'r')).to.match(/^glovebox:/);
  });
});
