import type { Socket } from 'node:net';

import type { Codec } from './codec.ts';

const prefixBytes = 4;
const nothing = Buffer.alloc(0);
const firstBufferBytes = 256 * 1024;
/** A larger buffer is not reused. */
const keptBufferBytes = 1024 * 1024;
/** The bytes of a longer text are counted; for a shorter one, an upper bound is enough. */
const shortLength = 16 * 1024;
/** Messages of one tick are written together; a message waits at most this long for the end of a long tick. */
const maxDelayMs = 3;

/**
 * Length-framed messages over a socket between the runner and one worker process. A decoded message shares the memory of
 * the chunk that it came in. In a worker, the next chunk overwrites it (sandbox/worker/channel-socket.ts).
 */
export class Channel<In, Out> {
  readonly #socket: Socket;
  readonly #codec: Codec<In, Out>;
  readonly #maxFrameBytes: number;
  #unsent = nothing;
  #unsentBytes = 0;
  #unsentSince = 0;
  /** An incomplete frame, or an incomplete prefix of one. */
  #began = nothing;
  #beganBytes = 0;

  constructor(socket: Socket, codec: Codec<In, Out>, maxFrameBytes: number) {
    this.#socket = socket;
    this.#codec = codec;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** @param onBroken is called when no more messages can be read or sent */
  listen(onMessage: (message: In) => void, onBroken: (error: Error) => void): void {
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        this.#receive(chunk, onMessage);
      } catch (error) {
        this.#socket.destroy();
        onBroken(error instanceof Error ? error : new Error(String(error)));
      }
    });
    this.#socket.on('error', onBroken);
  }

  /** Bytes that the other side has not read yet. */
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

  /** All messages of a flush share one buffer, which is less work for the garbage collector. */
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
    // When the kernel has taken everything, the memory is reused; otherwise the written part is left alone.
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

  /** Completes the frame that earlier chunks began. @returns the bytes taken from the chunk */
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

  /** Copies, since the next chunk may overwrite this one. */
  #begin(frameBytes: number, part: Buffer): void {
    this.#began = Buffer.allocUnsafe(frameBytes);
    this.#beganBytes = 0;
    this.#add(part);
  }

  /** @returns how many bytes belonged to the frame */
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

/** An upper bound of its bytes in UTF-8. */
function roomFor(body: Buffer | string): number {
  if (typeof body !== 'string') return body.length;
  return body.length <= shortLength ? 3 * body.length : Buffer.byteLength(body);
}
