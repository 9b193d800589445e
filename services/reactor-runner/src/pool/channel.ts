import type { Socket } from 'node:net';

import type { Codec } from './codec.ts';

const prefixBytes = 4;
const firstBufferBytes = 256 * 1024;
/** A buffer that has grown beyond this is not kept. */
const keptBufferBytes = 1024 * 1024;
/** Of a longer text it is counted how many bytes it takes; of others it is enough to know how many at most. */
const shortLength = 16 * 1024;
/** Messages of one tick travel together, but none waits longer than this for the end of a long tick. */
const maxDelayMs = 3;

/** Length-framed messages over a socket between the runner and one worker process. */
export class Channel<In, Out> {
  readonly #socket: Socket;
  readonly #codec: Codec<In, Out>;
  readonly #maxFrameBytes: number;
  #unsent = Buffer.alloc(0);
  #unsentBytes = 0;
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

  /** Bytes that the other side has not taken yet. */
  get backlog(): number {
    return this.#unsentBytes + this.#socket.writableLength;
  }

  send(message: Out): void {
    const { type, numbers, body } = this.#codec.encode(message);
    const now = performance.now();
    if (this.#unsentBytes === 0) {
      this.#unsentSince = now;
      process.nextTick(() => this.#flush());
    }
    const bytes = this.#reserve(prefixBytes + 1 + 4 * numbers.length + roomFor(body));
    const start = this.#unsentBytes + prefixBytes;
    let at = bytes.writeUInt8(type, start);
    for (const number of numbers) at = bytes.writeUInt32LE(number, at);
    at += typeof body === 'string' ? bytes.write(body, at) : body.copy(bytes, at);
    bytes.writeUInt32LE(at - start, this.#unsentBytes);
    this.#unsentBytes = at;
    if (now - this.#unsentSince > maxDelayMs) this.#flush();
  }

  /** One buffer for all messages of a flush: less work for the collector than one each. */
  #reserve(more: number): Buffer {
    const needed = this.#unsentBytes + more;
    if (needed <= this.#unsent.length) return this.#unsent;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#unsent.length, firstBufferBytes));
    this.#unsent.copy(larger, 0, 0, this.#unsentBytes);
    this.#unsent = larger;
    return larger;
  }

  #flush(): void {
    if (this.#unsentBytes === 0) return;
    const bytes = this.#unsent.subarray(0, this.#unsentBytes);
    this.#unsentBytes = 0;
    if (this.#socket.writable) this.#socket.write(bytes);
    // When the kernel has taken all, the same memory serves again; otherwise what was written is not touched.
    if (this.#unsent.buffer.byteLength > keptBufferBytes) this.#unsent = Buffer.alloc(0);
    else if (this.#socket.writableLength > 0) this.#unsent = this.#unsent.subarray(bytes.length);
  }

  #receive(chunk: Buffer, onMessage: (message: In) => void): void {
    let at = this.#received.length === 0 ? 0 : this.#complete(chunk, onMessage);
    while (at < chunk.length) {
      const left = chunk.length - at;
      this.#neededBytes = left < prefixBytes ? prefixBytes : this.#frameBytes(chunk.readUInt32LE(at));
      if (left < this.#neededBytes) return this.#keep(chunk.subarray(at));
      const end = at + this.#neededBytes;
      onMessage(this.#codec.decode(chunk.subarray(at + prefixBytes, end)));
      at = end;
    }
  }

  /** Takes from the chunk no more than what the frame lacks that the chunks before have begun. @returns how much. */
  #complete(chunk: Buffer, onMessage: (message: In) => void): number {
    let at = 0;
    for (;;) {
      const part = chunk.subarray(at, at + this.#neededBytes - this.#receivedBytes);
      at += part.length;
      this.#keep(part);
      if (this.#receivedBytes < this.#neededBytes) return at;
      const bytes = Buffer.concat(this.#received);
      this.#neededBytes = this.#frameBytes(bytes.readUInt32LE(0));
      this.#received = [];
      this.#receivedBytes = 0;
      if (bytes.length === this.#neededBytes) {
        onMessage(this.#codec.decode(bytes.subarray(prefixBytes)));
        return at;
      }
      this.#keep(bytes);
    }
  }

  #keep(part: Buffer): void {
    this.#received.push(part);
    this.#receivedBytes += part.length;
  }

  #frameBytes(length: number): number {
    if (length > this.#maxFrameBytes) throw new Error(`a message of ${length} bytes is too long`);
    return prefixBytes + length;
  }
}

/** Bytes that are enough for it in UTF-8. */
function roomFor(body: Buffer | string): number {
  if (typeof body !== 'string') return body.length;
  return body.length <= shortLength ? 3 * body.length : Buffer.byteLength(body);
}
