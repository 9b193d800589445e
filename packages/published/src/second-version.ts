/** Numbers of the second versions of reactors begin here: no present version ever has one. */
export const firstSecondVersion = 2 ** 52;

/**
 * The number of the record of a second version: another one for each version, and after each change of the formula. The caches
 * of the data plane go by it.
 * @param version as the API shows it
 */
export function secondVersion(version: bigint, formulaChanges: bigint): number {
  return firstSecondVersion + Number((version % 2n ** 20n) * 2n ** 32n + (formulaChanges % 2n ** 32n));
}
