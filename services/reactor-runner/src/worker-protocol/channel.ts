import type { Socket } from 'node:net';

import type { Codec } from './codec.ts';

const prefixBytes = 4;
const nothing = Buffer.alloc(0);
const firstBufferBytes = 256 * 1024;
/** A buffer that has grown beyond this is not kept. */
const keptBufferBytes = 1024 * 1024;
/** Of a longer text it is counted how many bytes it takes; of others it is enough to know how many at most. */
const shortLength = 16 * 1024;
/** Messages of one tick travel together, but none waits longer than this for the end of a long tick. */
const maxDelayMs = 3;

/**
 * Length-framed messages over a socket between the runner and one worker process. Of what has come, a message keeps no more
 * than its own bytes; where chunks are overwritten by the next (sandbox/worker/channel-socket.ts), not even these.
 */
export class Channel<In, Out> {
  readonly #socket: Socket;
  readonly #codec: Codec<In, Out>;
  readonly #maxFrameBytes: number;
  #unsent = nothing;
  #unsentBytes = 0;
  #unsentSince = 0;
  /** A frame whose first bytes have come, or only some of its prefix's. */
  #began = nothing;
  #beganBytes = 0;

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
    if (this.#unsent.buffer.byteLength > keptBufferBytes) this.#unsent = nothing;
    else if (this.#socket.writableLength > 0) this.#unsent = this.#unsent.subarray(bytes.length);
  }

  #receive(chunk: Buffer, onMessage: (message: In) => void): void {
    let at = this.#beganBytes === 0 ? 0 : this.#complete(chunk, onMessage);
    while (at < chunk.length) {
      const left = chunk.length - at;
      const needed = left < prefixBytes ? prefixBytes : this.#frameBytes(chunk.readUInt32LE(at));
      if (left < needed) {
        this.#begin(needed, chunk.subarray(at));
        return;
      }
      const end = at + needed;
      onMessage(this.#codec.decode(chunk.subarray(at + prefixBytes, end)));
      at = end;
    }
  }

  /** Takes from the chunk no more than what the frame lacks that the chunks before have begun. @returns how much. */
  #complete(chunk: Buffer, onMessage: (message: In) => void): number {
    let at = this.#add(chunk);
    if (this.#began.length === prefixBytes && this.#beganBytes === prefixBytes) {
      this.#begin(this.#frameBytes(this.#began.readUInt32LE(0)), this.#began);
      at += this.#add(chunk.subarray(at));
    }
    const frame = this.#began;
    if (this.#beganBytes < frame.length) return at;
    this.#began = nothing;
    this.#beganBytes = 0;
    onMessage(this.#codec.decode(frame.subarray(prefixBytes)));
    return at;
  }

  /** The frame is copied: its chunk may be overwritten by the next. */
  #begin(frameBytes: number, part: Buffer): void {
    this.#began = Buffer.allocUnsafe(frameBytes);
    this.#beganBytes = 0;
    this.#add(part);
  }

  /** @returns how much of it belonged to the frame. */
  #add(part: Buffer): number {
    const taken = part.copy(this.#began, this.#beganBytes);
    this.#beganBytes += taken;
    return taken;
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
