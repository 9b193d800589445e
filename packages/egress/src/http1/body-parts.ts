import { errors } from 'undici';

/** A request's body that comes in parts: its first one has come. */
export class BodyParts {
  readonly first: Uint8Array;
  readonly #iterator: AsyncIterator<Uint8Array>;
  #isDone = false;

  private constructor(first: Uint8Array, iterator: AsyncIterator<Uint8Array>) {
    this.first = first;
    this.#iterator = iterator;
  }

  /** Waits for the first part, so that no connection has to. @returns undefined for an empty body */
  static async begin(body: AsyncIterable<Uint8Array>): Promise<BodyParts | undefined> {
    const iterator = body[Symbol.asyncIterator]();
    const first = await nextOf(iterator);
    return first && new BodyParts(first, iterator);
  }

  async next(): Promise<Uint8Array | undefined> {
    const part = await nextOf(this.#iterator);
    this.#isDone = part === undefined;
    return part;
  }

  /** The rest is discarded. */
  leave(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#iterator.return?.().catch(() => undefined);
  }
}

/** Passes over empty parts: in chunks they would end the body. */
async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await iterator.next();
    if (done === true) return undefined;
    if (!(value instanceof Uint8Array)) throw new errors.InvalidArgumentError('body must consist of bytes');
    if (value.length > 0) return value;
  }
}
