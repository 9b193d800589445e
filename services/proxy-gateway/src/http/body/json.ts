import { isUtf8 } from 'node:buffer';

/** Whether parsed JSON is an object, and no array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether bytes that call themselves JSON are. */
export function isJson(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
