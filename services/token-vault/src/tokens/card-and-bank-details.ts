import creditCardType from 'credit-card-type';

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { tokenTypes } from './token-type.ts';

/**
 * The `card` and `bank` attributes (contract/tokens.md#token-object). Only for callers who see the data: a bin and
 * a brand would reveal what a mask hides.
 * @param json the token's data
 */
export function detailsOf(type: string, json: string): JsonObject {
  const isCard = tokenTypes.get(type)?.isCard === true;
  if (!isCard && type !== 'bank') return {};
  const data = parseJson(json);
  if (!isJsonObject(data)) return {};
  return isCard ? { card: cardDetails(data) } : { bank: bankDetails(data) };
}

function cardDetails({ number, expiration_month, expiration_year }: JsonObject): JsonObject {
  const text = textOf(number);
  const bin = text.slice(0, text.length >= 16 ? 8 : 6);
  const brand = creditCardType(bin)[0]?.type;
  return {
    bin,
    last4: text.slice(-4),
    ...(expiration_month === undefined ? {} : { expiration_month }),
    ...(expiration_year === undefined ? {} : { expiration_year }),
    ...(brand === undefined ? {} : { brand }),
  };
}

function bankDetails({ routing_number = '', account_number }: JsonObject): JsonObject {
  return { routing_number, account_number_last4: textOf(account_number).slice(-4) };
}

/** Stored data has been validated: both numbers are strings. */
function textOf(number: JsonValue | undefined): string {
  return typeof number === 'string' ? number : '';
}
