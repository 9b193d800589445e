import { isJsonObject, type JsonValue } from '../values/json-value.ts';
import { tokenTypes } from './token-type.ts';

const name = 'cvc';

/** Whether the data holds a security code, which is stored for a short time only (contract/tokens.md#token-types). */
export function holdsSecurityCode(type: string, data: JsonValue): boolean {
  return tokenTypes.get(type)?.isCard === true && isJsonObject(data) && Object.hasOwn(data, name);
}

export function withoutSecurityCode(type: string, data: JsonValue): JsonValue {
  if (!isJsonObject(data) || !holdsSecurityCode(type, data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([member]) => member !== name));
}
