import { chunks, floods, lengths, timing } from './bodies.ts';
import { type HostileCase, splits, truncations } from './cases.ts';
import { headers, phrases, statusLines } from './heads.ts';

/** Every case that is written down, in an order that mixes them. */
export function tableOfCases(): HostileCase[] {
  const cases = [
    ...splits(),
    ...truncations(),
    ...[statusLines, phrases, headers, lengths, chunks, floods, timing].flatMap((make) => make()),
  ];
  // By a step that has no divisor in common with the count: neighbours in a list are much alike.
  const step = cases.length % 97 === 0 ? 89 : 97;
  return cases.map((_, index) => cases[(index * step) % cases.length] as HostileCase);
}
