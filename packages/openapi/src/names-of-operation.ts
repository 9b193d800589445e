import { table } from './gen/known-names.ts';
import { type KnownNames, operationKey } from './known-names.ts';

const byKey: Readonly<Record<string, KnownNames>> = table;

/** Undefined for an operation that is not described. @param path as `/proxies/{id}` or `/proxies/:id` */
export function namesOfOperation(method: string, path: string): KnownNames | undefined {
  return byKey[operationKey(method, path)];
}
