import type { Reference } from './openapi-document.ts';

/**
 * What a value refers to, or the value itself.
 * @param section the part of `components` that its kind is in
 * @throws Error for a reference to nothing
 */
export function dereference<T extends object>(section: Readonly<Record<string, T>>, value: T | Reference): T {
  if (!isReference(value)) return value;
  const found = section[nameIn(value.$ref)];
  if (found === undefined) throw new Error(`${value.$ref} is a reference to nothing`);
  return found;
}

/** The last part of a reference such as `#/components/schemas/Token`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function isReference(value: object): value is Reference {
  return '$ref' in value;
}
