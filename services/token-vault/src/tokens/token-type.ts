import type { JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import { readBank, readCard } from './card-data.ts';
import {
  accountNumberProblem,
  cardNumberProblem,
  employerIdNumberProblem,
  routingNumberProblem,
  socialSecurityNumberProblem,
  type NumberProblem,
} from './number-data.ts';

export interface TokenType {
  readonly name: string;
  readonly container: string;
  readonly fingerprintExpression: string;
  /** Null: tokens of the type are redacted where a mask would show. */
  readonly mask: JsonValue;
  readonly searchIndexes: readonly string[];
  readonly isCard: boolean;
  /** Validates and normalizes data. Reports problems under `data`. */
  readonly readData: (data: JsonValue, report: ReportProblem) => JsonValue;
}

const lastFour = '{{ data | reveal_last: 4 }}';
const withoutHyphens = "{{ data | remove: '-' }}";
const identityIndexes = ['{{ data }}', withoutHyphens, '{{ data | last4 }}'];

const card: Omit<TokenType, 'name'> = {
  container: '/pci/high/',
  fingerprintExpression: '{{ data.number }}',
  mask: {
    number: '{{ data.number | reveal_last: 4 }}',
    expiration_month: '{{ data.expiration_month }}',
    expiration_year: '{{ data.expiration_year }}',
  },
  searchIndexes: [],
  isCard: true,
  readData: readCard,
};

/** The table of contract/tokens.md#token-types. */
const types: readonly TokenType[] = [
  {
    name: 'token',
    container: '/general/high/',
    fingerprintExpression: '{{ data | stringify }}',
    mask: null,
    searchIndexes: [],
    isCard: false,
    readData: (data) => data,
  },
  { name: 'card', ...card },
  {
    name: 'bank',
    container: '/bank/high/',
    fingerprintExpression: '{{ data.account_number }}|{{ data.routing_number }}',
    mask: {
      routing_number: '{{ data.routing_number }}',
      account_number: '{{ data.account_number | reveal_last: 4 }}',
    },
    searchIndexes: [],
    isCard: false,
    readData: readBank,
  },
  textType('card_number', '/pci/high/', cardNumberProblem),
  textType('us_bank_account_number', '/bank/high/', accountNumberProblem),
  textType('us_bank_routing_number', '/bank/low/', routingNumberProblem),
  identityType('social_security_number', socialSecurityNumberProblem),
  identityType('employer_id_number', employerIdNumberProblem),
  // Newer than the other types, and like a card.
  { name: 'network_token', ...card },
];

export const tokenTypes: ReadonlyMap<string, TokenType> = new Map(types.map((type) => [type.name, type]));

/** Types whose data may hold a security code. */
export const cardTypes: readonly string[] = types.filter(({ isCard }) => isCard).map(({ name }) => name);

function textType(name: string, container: string, problemOf: NumberProblem): TokenType {
  return {
    name,
    container,
    fingerprintExpression: '{{ data }}',
    mask: lastFour,
    searchIndexes: [],
    isCard: false,
    readData: (data, report) => {
      const problem = problemOf(data);
      if (problem !== undefined) report('data', problem);
      return data;
    },
  };
}

function identityType(name: string, problemOf: NumberProblem): TokenType {
  return {
    ...textType(name, '/pii/high/', problemOf),
    fingerprintExpression: withoutHyphens,
    searchIndexes: identityIndexes,
  };
}
