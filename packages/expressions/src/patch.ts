import { ExpressionError } from './expression-error.ts';
import type { Values } from './values.ts';

/** A range of a body that values replace. Everything outside of its patches stays as it is. */
export interface Patch {
  /** First byte. */
  readonly start: number;
  /** Byte behind the last. */
  readonly end: number;
  /** What comes in its place. */
  readonly fill: (values: Values) => readonly Buffer[];
}

/**
 * Replaces ranges of a body.
 *
 * @param patches in order, without overlap
 * @param maxBytes of the result
 */
export function applyPatches(
  body: Buffer,
  patches: readonly Patch[],
  values: Values,
  maxBytes: number,
): Buffer {
  let replaced = 0;
  let added = 0;
  const filling = patches.map(({ start, end, fill }) => {
    const pieces = fill(values);
    replaced += end - start;
    for (const piece of pieces) added += piece.length;
    if (added > maxBytes) throw tooLarge(start);
    return pieces;
  });
  const size = body.length - replaced + added;
  if (size > maxBytes) throw tooLarge(0);
  const filled = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  for (const [index, { start, end }] of patches.entries()) {
    to += body.copy(filled, to, from, start);
    for (const piece of filling[index] ?? []) to += piece.copy(filled, to);
    from = end;
  }
  body.copy(filled, to, from);
  return filled;
}

export function tooLarge(position: number): ExpressionError {
  return new ExpressionError(
    'too_large',
    'With its expressions replaced the body would be too large',
    position,
  );
}
