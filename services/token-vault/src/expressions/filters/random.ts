import { randomInt } from 'node:crypto';

export const digits = '0123456789';
export const lowerCaseLetters = 'abcdefghijklmnopqrstuvwxyz';

/** Not to be guessed: who could would know other tokens' ids. */
export function randomCharacter(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
