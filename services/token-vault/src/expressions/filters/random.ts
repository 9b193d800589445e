import { randomInt } from 'node:crypto';

export const digits = '0123456789';
export const lowerCaseLetters = 'abcdefghijklmnopqrstuvwxyz';

/** Cryptographically random: a predictable character would reveal ids of other tokens. */
export function randomCharacter(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
