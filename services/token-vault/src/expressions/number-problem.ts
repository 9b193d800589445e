/** Why a number cannot be stored: parsing the request has rounded it. */
export function numberProblem(value: number): string | undefined {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return undefined;
  return 'must not hold a number that is too large to be kept exactly; send it as text';
}
