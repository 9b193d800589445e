import { hasAbaCheckDigit, hasLuhnCheckDigit } from './check-digits.ts';

/** The problem of a number that is stored as a string, if any. The text never quotes the value. */
export type NumberProblem = (value: unknown) => string | undefined;

const mustBeText = 'must be text';

export const cardNumberProblem: NumberProblem = (value) => {
  if (typeof value !== 'string') return mustBeText;
  if (!/^\d{13,19}$/.test(value)) return 'must be 13 to 19 digits without separators';
  return hasLuhnCheckDigit(value) ? undefined : 'must be a valid card number (its check digit is wrong)';
};

export const routingNumberProblem: NumberProblem = (value) => {
  if (typeof value !== 'string') return mustBeText;
  if (!/^\d{9}$/.test(value)) return 'must be nine digits';
  return hasAbaCheckDigit(value) ? undefined : 'must be a valid routing number (its check digit is wrong)';
};

export const accountNumberProblem = textProblem(/^\d{3,17}$/, 'must be 3 to 17 digits');
export const bankAccountNumberProblem = textProblem(/^\d{1,17}$/, 'must be 1 to 17 digits');
export const socialSecurityNumberProblem = textProblem(
  /^(\d{9}|\d{3}-\d{2}-\d{4})$/,
  'must be nine digits, optionally written 123-45-6789',
);
export const employerIdNumberProblem = textProblem(
  /^(\d{9}|\d{2}-\d{7})$/,
  'must be nine digits, optionally written 12-3456789',
);

function textProblem(grammar: RegExp, message: string): NumberProblem {
  return (value) => {
    if (typeof value !== 'string') return mustBeText;
    return grammar.test(value) ? undefined : message;
  };
}
