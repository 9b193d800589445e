const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lower case only, as ids are published and bound to sealed values. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
