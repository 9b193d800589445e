import { expect } from 'chai';

import { chooseServers } from './choose-servers.ts';

const none: ReadonlySet<string> = new Set();
const servers = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at + 1}:4000`);
const clients = (count: number) => Array.from({ length: count }, (_, at) => `client ${at}`);

describe('the servers that a client connects to', () => {
  it('are all of them where they are few', () => {
    for (const count of [0, 1, 8])
      expect(chooseServers('one', servers(count), 8, none)).to.deep.equal(servers(count));
  });

  it('are else as many as asked for, and for each client always the same ones', () => {
    const chosen = chooseServers('one', servers(20), 8, none);
    expect(new Set(chosen)).to.have.lengthOf(8);
    expect(chooseServers('one', servers(20), 8, none)).to.deep.equal(chosen);
    expect(chooseServers('another', servers(20), 8, none)).to.not.deep.equal(chosen);
  });

  it('get about as many clients each', () => {
    const counts = new Map<string, number>();
    for (const client of clients(300)) {
      for (const server of chooseServers(client, servers(20), 8, none))
        counts.set(server, (counts.get(server) ?? 0) + 1);
    }
    // 300 clients with 8 of 20 servers make 120 for each.
    for (const count of counts.values()) expect(count).to.be.within(90, 150);
    expect(counts.size).to.equal(20);
  });

  it('stay as they were when one comes or goes, but for that one', () => {
    for (const client of clients(50)) {
      const before = chooseServers(client, servers(20), 8, none);
      const more = chooseServers(client, servers(21), 8, none);
      expect(more.filter((one) => !before.includes(one)).length).to.be.at.most(1);
      const fewer = servers(20).filter((one) => one !== before[3]);
      const after = chooseServers(client, fewer, 8, none);
      expect(after.filter((one) => !before.includes(one))).to.have.lengthOf(1);
    }
  });

  it('are others in place of those that cannot be reached, as long as there are others', () => {
    const before = chooseServers('one', servers(10), 8, none);
    const away = new Set(before.slice(0, 2));
    const after = chooseServers('one', servers(10), 8, away);
    expect(after).to.have.lengthOf(8);
    for (const one of away) expect(after).to.not.include(one);
    expect(chooseServers('one', servers(10), 8, new Set(servers(10)))).to.have.lengthOf(8);
  });
});
