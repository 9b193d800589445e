/** User code can pass anything to the host: each operation checks its arguments. */
export class BadOperation extends Error {
  override readonly name = 'TypeError';
}

export type Operation = (...args: unknown[]) => unknown;
export type Operations = Readonly<Record<string, Operation>>;

/** Of bytes or text in one argument. */
export const maxArgumentLength = 64 * 1024 * 1024;

export function text(value: unknown, maxLength = maxArgumentLength): string {
  if (typeof value !== 'string') throw new BadOperation('expected a string');
  if (value.length > maxLength) throw new BadOperation(`a text is longer than ${maxLength} characters`);
  return value;
}

export function bytes(value: unknown, maxLength = maxArgumentLength): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new BadOperation('expected bytes');
  if (value.length > maxLength) throw new BadOperation(`a buffer is longer than ${maxLength} bytes`);
  return value;
}

export function integer(value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new BadOperation(`expected an integer from ${min} to ${max}`);
  }
  return value;
}

export function flag(value: unknown): boolean {
  return value === true;
}

export function oneOf<Value extends string>(value: unknown, values: readonly Value[]): Value {
  const found = values.find((known) => known === value);
  if (found === undefined) throw new BadOperation(`expected one of ${values.join(', ')}`);
  return found;
}

/** A copy of exactly these bytes: a view from Node's pool would take the whole pool with it into the isolate. */
export function exact(view: Uint8Array): Uint8Array {
  return new Uint8Array(view);
}
