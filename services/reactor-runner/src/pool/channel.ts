import type { Socket } from 'node:net';

import type { Codec } from './codec.ts';

const prefixBytes = 4;
/** Messages of one tick travel together, but none waits longer than this for the end of a long tick. */
const maxDelayMs = 1;

/** Length-framed messages over a socket between the runner and one worker process. */
export class Channel<In, Out> {
  readonly #socket: Socket;
  readonly #codec: Codec<In, Out>;
  readonly #maxFrameBytes: number;
  #unsent: Buffer[] = [];
  #unsentSince = 0;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #neededBytes = prefixBytes;

  constructor(socket: Socket, codec: Codec<In, Out>, maxFrameBytes: number) {
    this.#socket = socket;
    this.#codec = codec;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** @param onBroken is told once why nothing more can be understood or sent. */
  listen(onMessage: (message: In) => void, onBroken: (error: Error) => void): void {
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        this.#receive(chunk, onMessage);
      } catch (error) {
        this.#socket.destroy();
        onBroken(error as Error);
      }
    });
    this.#socket.on('error', onBroken);
  }

  send(message: Out): void {
    const { head, body } = this.#codec.encode(message);
    const prefix = Buffer.allocUnsafe(prefixBytes);
    prefix.writeUInt32LE(head.length + body.length);
    if (this.#unsent.length === 0) {
      this.#unsentSince = performance.now();
      process.nextTick(() => this.#flush());
    }
    this.#unsent.push(prefix, head, body);
    if (performance.now() - this.#unsentSince > maxDelayMs) this.#flush();
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    const bytes = Buffer.concat(this.#unsent);
    this.#unsent = [];
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  #receive(chunk: Buffer, onMessage: (message: In) => void): void {
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes < this.#neededBytes) return;
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    let at = 0;
    for (;;) {
      const left = bytes.length - at;
      this.#neededBytes = left < prefixBytes ? prefixBytes : this.#frameBytes(bytes.readUInt32LE(at));
      if (left < this.#neededBytes) break;
      const frame = bytes.subarray(at + prefixBytes, at + this.#neededBytes);
      at += this.#neededBytes;
      onMessage(this.#codec.decode(frame));
    }
    this.#received = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#receivedBytes = bytes.length - at;
  }

  #frameBytes(length: number): number {
    if (length > this.#maxFrameBytes) throw new Error(`a message of ${length} bytes is too long`);
    return prefixBytes + length;
  }
}
