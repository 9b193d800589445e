import type { Server, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';

import { type RawDestination, startRawDestination } from '../raw-destination.ts';
import type { HostileCase } from './cases.ts';

export interface HostileDestination extends RawDestination {
  /** How often each case was asked for, and answered as far as it says. */
  readonly answered: ReadonlyMap<number, number>;
}

/** Between two pieces: so that they are read apart. */
const apartMs = 1;

/**
 * A destination that answers `/case/<index>` as that case says, `/once/<index>` as well but only the first time, and
 * `/echo/<word>` with the word.
 */
export async function startHostileDestination(
  cases: readonly HostileCase[],
  makeServer?: (serve: (socket: Socket) => void) => Server,
): Promise<HostileDestination> {
  const answered = new Map<number, number>();
  const answer = async (socket: Socket, head: string) => {
    const [, kind, word = ''] = /^[A-Z]+ [^ ]*\/(case|once|echo)\/(\w+)/.exec(head) ?? [];
    const index = Number(word);
    if (kind === 'case' || (kind === 'once' && !answered.has(index))) {
      await play(socket, cases[index] as HostileCase);
    } else {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${word.length}\r\n\r\n${word}`);
    }
    if (kind !== 'echo') answered.set(index, (answered.get(index) ?? 0) + 1);
  };
  const server = await startRawDestination((socket, head) => void answer(socket, head), makeServer);
  return Object.assign(server, { answered });
}

async function play(socket: Socket, { pieces, afterwards }: HostileCase): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(apartMs);
    if (socket.destroyed) return;
    socket.write(piece, 'latin1');
  }
  if (afterwards === 'end') socket.end();
  if (afterwards === 'reset') {
    await pause(apartMs);
    // Node resets no connection with TLS; without its farewell it is broken all the same.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }
}
