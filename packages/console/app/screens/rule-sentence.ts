import type { Rule } from '../api/models.ts';
import { texts } from '../texts.ts';

const words = texts.access;

/** A rule in words. */
export function sentenceOf({ container, conditions, transform, permissions, destinations }: Rule): string {
  const where = conditions?.map(({ attribute, operator, value }) =>
    words.condition(attribute, operator, value),
  );
  const verbs = permissions.map((permission) => permission.replace('token:', '')).join(', ');
  const parts = [
    words.inWords(verbs, where?.join(' and ') ?? container ?? '/'),
    words.shows[transform],
    destinations && words.onlyTowards(destinations.join(', ')),
  ];
  return `${parts.filter((part) => part !== undefined).join(', ')}.`;
}
