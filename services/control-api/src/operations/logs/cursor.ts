import { type Place, sources } from '../../audit/log-entry.ts';

/** Opaque to clients. */
export function encodeCursor({ at, source, id }: Place): string {
  return Buffer.from(`${at}.${sources.indexOf(source)}.${id}`).toString('base64url');
}

/** Undefined for a malformed cursor. */
export function decodeCursor(text: string): Place | undefined {
  const match = /^(\d{1,16})\.([01])\.(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (match === null) return undefined;
  const [at, id] = [Number(match[1]), Number(match[3])];
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(id)) return undefined;
  return { at, source: sources[Number(match[2])] ?? 'control', id };
}
