import { connect } from 'node:net';

import type { Ending, HostileCase } from './cases.ts';

/** How a request ended, as its client saw it. */
export interface Ended {
  readonly ending: Ending;
  readonly status: number;
  readonly phrase: string;
  readonly head: string;
  /** Without its chunks; what came of it where it was cut. */
  readonly body: string;
}

const patienceMs = 20_000;

/**
 * Sends one request on a connection of its own, and reads until that is closed.
 * @throws Error for what no request may end with: nothing at all, half a head, an answer that is neither the destination's nor
 * a `proxy_error`, or no end
 */
export async function ask(base: string, request: string | Buffer): Promise<Ended> {
  return read(await exchange(base, request));
}

function exchange(base: string, request: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const timer = setTimeout(() => {
      reject(new Error(`it hangs after ${Buffer.concat(chunks).length} bytes`));
      socket.destroy();
    }, patienceMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.write(request);
  });
}

function read(text: string): Ended {
  const end = text.indexOf('\r\n\r\n');
  const [, status, phrase] = /^HTTP\/1\.1 (\d{3}) ([^\r\n]*)\r\n/.exec(text) ?? [];
  if (end < 0 || status === undefined) throw new Error(`no answer: ${JSON.stringify(text.slice(0, 200))}`);
  const head = text.slice(0, end + 2);
  const { body, isWhole } = readBody(head, text.slice(end + 4), Number(status));
  const read = { status: Number(status), phrase: phrase ?? '', head, body };
  if (/\r\nSVC-PROXY-DESTINATION-STATUS: /.test(head)) return { ending: isWhole ? 'raw' : 'cut', ...read };
  const problem = (JSON.parse(body) as { proxy_error?: { status: number } }).proxy_error;
  if (problem?.status !== read.status) throw new Error(`an answer of nobody's: ${text.slice(0, 300)}`);
  return { ending: 'error', ...read };
}

function readBody(head: string, rest: string, status: number): { body: string; isWhole: boolean } {
  if (status === 204 || status === 304) return { body: rest, isWhole: rest === '' };
  const length = /\r\nContent-Length: (\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return { body: rest, isWhole: rest.length === Number(length) };
  if (!/\r\nTransfer-Encoding: chunked\r\n/i.test(head)) return { body: rest, isWhole: true };
  let body = '';
  for (let at = 0; ;) {
    const line = /^([0-9a-f]+)\r\n/i.exec(rest.slice(at, at + 20));
    if (line === null) return { body, isWhole: false };
    const size = Number.parseInt(line[1] as string, 16);
    at += line[0].length;
    if (size === 0) return { body, isWhole: rest.slice(at) === '\r\n' };
    body += rest.slice(at, at + size);
    at += size + 2;
  }
}

/** Statuses of ours for what a destination did; 415 and 413 are those of transforms. */
const statusesOfOurs: ReadonlySet<number> = new Set([502, 408, 415, 413]);
const saysTransform = /"detail":"The response transform returned a header /;

/**
 * By `exact` the ending has to be one of those that the case allows, and the phrase its own; by `lenient` it may be an error as
 * well, and any phrase.
 */
export type Judgement = 'exact' | 'lenient';

/** Compares what came with what may. @returns what is wrong with it; undefined: nothing. */
export function complaint(one: HostileCase, ended: Ended, judgement: Judgement): string | undefined {
  const { ending, status, phrase, body } = ended;
  const isExact = judgement === 'exact';
  if (ending === 'error') {
    if (!statusesOfOurs.has(status) && !saysTransform.test(body)) return `is nobody’s fault: ${body}`;
    return isExact && !one.endings.includes('error') ? `is refused: ${body}` : undefined;
  }
  if (isExact && !one.endings.includes(ending))
    return `ended ${ending} with ${status} ${phrase} ${body.slice(0, 200)}`;
  const { answer } = one;
  if (ending === 'cut' || answer === undefined) return undefined;
  const hasPhrase = !isExact || answer.phrase === undefined || phrase === answer.phrase;
  const isRight = hasPhrase && status === answer.status && body === answer.body;
  return isRight ? undefined : `came as ${status} ${phrase} ${JSON.stringify(body.slice(0, 200))}`;
}
