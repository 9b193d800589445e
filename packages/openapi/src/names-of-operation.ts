import { table } from './gen/known-names.ts';
import { type KnownNames, operationKey } from './known-names.ts';

const byKey: Readonly<Record<string, KnownNames>> = table;

/** @param path as `/proxies/{id}` or `/proxies/:id` @throws Error for an operation that is not described */
export function namesOfOperation(method: string, path: string): KnownNames {
  const known = byKey[operationKey(method, path)];
  if (known === undefined) throw new Error(`${method} ${path} is not described`);
  return known;
}
