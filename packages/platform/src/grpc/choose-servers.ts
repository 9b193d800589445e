import { hash } from 'node:crypto';

/**
 * Chooses the servers that one client connects to, by rendezvous hashing: each client prefers others, so that all servers
 * get about as many clients, and a change of the list changes as few connections as it can.
 * @param client differs from that of every other client
 * @param away these are chosen only if there are too few others
 * @returns at most `most` of them, in the order of the list
 */
export function chooseServers(
  client: string,
  servers: readonly string[],
  most: number,
  away: ReadonlySet<string>,
): readonly string[] {
  if (servers.length <= most) return servers;
  const ranked = servers
    .map((server) => ({ server, isAway: away.has(server), weight: hash('sha256', `${client}\n${server}`) }))
    .toSorted(
      (one, other) => Number(one.isAway) - Number(other.isAway) || (one.weight < other.weight ? -1 : 1),
    );
  const chosen = new Set(ranked.slice(0, most).map(({ server }) => server));
  return servers.filter((server) => chosen.has(server));
}
