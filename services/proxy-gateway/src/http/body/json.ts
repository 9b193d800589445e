import { isUtf8 } from 'node:buffer';

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
