/** The Luhn checksum of card numbers (ISO/IEC 7812-1, annex B). `digits` holds digits only. */
export function hasLuhnCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The checksum of an ABA routing number (contract/tokens.md#numbers). `digits` holds nine digits. */
export function hasAbaCheckDigit(digits: string): boolean {
  const weights = [3, 7, 1];
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) sum += Number(digits[i]) * (weights[i % 3] ?? 0);
  return sum % 10 === 0;
}
