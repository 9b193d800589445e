import { randomInt } from 'node:crypto';

import type { JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { countArgument } from './arguments.ts';
import { charactersOf } from './characters.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';

export const aliasPreserveFormat: Filter = aliasing('alias_preserve_format', (character) => {
  if (/\p{Nd}/u.test(character)) return randomCharacter(digits);
  return /\p{L}/u.test(character) ? randomCharacter(lowerCaseLetters) : character;
});

export const aliasPreserveLength: Filter = aliasing('alias_preserve_length', () =>
  randomCharacter(lowerCaseLetters + digits),
);

/** A random character takes about as long as looking at 170. */
const workPerRandomCharacter = 170;

function aliasing(name: string, replace: (character: string) => string): Filter {
  const apply = (input: Value, args: readonly JsonValue[], work: WorkBudget): Value => {
    if (input === null) return null;
    const text = scalarText(name, input);
    const first = countArgument(name, 'reveal_first', args[0], 0);
    const last = countArgument(name, 'reveal_last', args[1], 0);
    work.spend(text.length * workPerRandomCharacter);
    const characters = charactersOf(text);
    const lastFrom = characters.length - last;
    // An alias equal to the value would leak it into every log and URL that holds the id.
    if (first >= lastFrom) throw failed(name, 'its input is not longer than the part to reveal');
    return characters
      .map((character, at) => (at < first || at >= lastFrom ? character : replace(character)))
      .join('');
  };
  return { minArgs: 0, maxArgs: 2, apply };
}

export const digits = '0123456789';
export const lowerCaseLetters = 'abcdefghijklmnopqrstuvwxyz';

/** Cryptographically random: a predictable character would reveal ids of other tokens. */
export function randomCharacter(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
