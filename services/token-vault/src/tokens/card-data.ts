import { own, isJsonObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import { bankAccountNumberProblem, cardNumberProblem, routingNumberProblem } from './number-data.ts';

type Member = (value: JsonValue) => { readonly value: JsonValue } | { readonly problem: string };

/**
 * Normalizes a card (contract/tokens.md#cards): forms and libraries may send month and year as strings and the
 * security code as a number. Null counts as absent. Unknown members are kept, and no default mask shows them.
 */
export function readCard(data: JsonValue, report: ReportProblem): JsonValue {
  if (!isJsonObject(data)) return refuse(report);
  const card = withoutNull(data);
  const problem = cardNumberProblem(card['number']);
  if (problem !== undefined) report('data.number', card['number'] === undefined ? 'is required' : problem);
  coerce(card, 'expiration_month', integer(1, 12, 'must be a whole number from 1 to 12'), report);
  coerce(card, 'expiration_year', integer(1000, 9999, 'must be a year of four digits'), report);
  coerce(card, 'cvc', securityCode, report);
  return card;
}

export function readBank(data: JsonValue, report: ReportProblem): JsonValue {
  if (!isJsonObject(data)) return refuse(report);
  const bank = withoutNull(data);
  const members = { routing_number: routingNumberProblem, account_number: bankAccountNumberProblem };
  for (const [name, problemOf] of Object.entries(members)) {
    const value = own(bank, name);
    const problem = value === undefined ? 'is required' : problemOf(value);
    if (problem !== undefined) report(`data.${name}`, problem);
  }
  return bank;
}

function refuse(report: ReportProblem): JsonValue {
  report('data', 'must be an object');
  return null;
}

function withoutNull(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

function coerce(card: JsonObject, name: string, read: Member, report: ReportProblem): void {
  const given = own(card, name);
  if (given === undefined) return;
  const result = read(given);
  if ('problem' in result) report(`data.${name}`, result.problem);
  else card[name] = result.value;
}

function integer(min: number, max: number, problem: string): Member {
  return (value) => {
    const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
    const fits = typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
    return fits ? { value: number } : { problem };
  };
}

function securityCode(value: JsonValue): ReturnType<Member> {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d{3,4}$/.test(text)) return { value: text };
  return { problem: 'must be 3 or 4 digits' };
}
