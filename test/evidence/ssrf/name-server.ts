import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv6 } from 'node:net';

/** Addresses, or another name whose addresses they are. */
export type Records = readonly string[];

export interface NameServer extends AsyncDisposable {
  readonly port: number;
  /** What a name means, each time that it is asked for; the last of them stays. */
  set(name: string, ...answers: readonly Records[]): void;
  /** How often it was asked for the addresses of a name. */
  askedFor(name: string): number;
}

const [typeA, typeAaaa, typeCname] = [1, 28, 5];

/** A real name server over UDP (RFC 1035). Everything that it says is valid for 0 seconds. */
export async function startNameServer(): Promise<NameServer> {
  const zone = new Map<string, readonly Records[]>();
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const times = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, times + 1);
    const answers = zone.get(name) ?? [];
    const records = answers[Math.min(times, answers.length - 1)];
    socket.send(answerTo(query.subarray(0, end), type, records, zone), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    set: (name, ...answers) => void zone.set(name, answers),
    askedFor: (name) => asked.get(`${name} ${typeA}`) ?? 0,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(
  question: Buffer,
  type: number,
  records: Records | undefined,
  zone: ReadonlyMap<string, readonly Records[]>,
): Buffer {
  const answers = records === undefined ? [] : recordsFor(records, type, zone);
  const head = Buffer.from(question);
  // An authoritative answer, and the name does not exist (3) where nothing is known of it.
  head.writeUInt16BE(0x8480 | (records === undefined ? 3 : 0), 2);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...answers]);
}

/** Each about the name of the question, as a pointer to it; a name's addresses about that name. */
function recordsFor(records: Records, type: number, zone: ReadonlyMap<string, readonly Records[]>): Buffer[] {
  const asked = Buffer.from([0xc0, 12]);
  return records.flatMap((record) => {
    if (isIP(record) !== 0) return typeOf(record) === type ? [recordOf(asked, type, bytesOf(record))] : [];
    const target = nameBytes(record);
    const below = zone.get(record)?.[0]?.filter((address) => typeOf(address) === type) ?? [];
    return [
      recordOf(asked, typeCname, target),
      ...below.map((address) => recordOf(target, type, bytesOf(address))),
    ];
  });
}

function recordOf(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

const typeOf = (address: string) => (isIPv6(address) ? typeAaaa : typeA);

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.alloc(1),
  ]);

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes a dotted tail as the hexadecimal that it is.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parts = (text: string | undefined) => (text ? text.split(':') : []);
  const zeros = Array<string>(8 - parts(head).length - parts(tail).length).fill('0');
  return Buffer.from(
    [...parts(head), ...zeros, ...parts(tail)].map((part) => part.padStart(4, '0')).join(''),
    'hex',
  );
}
