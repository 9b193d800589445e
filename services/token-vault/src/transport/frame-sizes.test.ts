import { wireSize } from '@glovebox/platform/calls/wire-size';
import { Paging, UsePurpose, VaultCall, VaultReply } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

type Operation = NonNullable<VaultCall['operation']>;
type Outcome = NonNullable<VaultReply['outcome']>;
type OfCase<Union extends { $case: string }, Case> =
  Extract<Union, { $case: Case }> extends { value: infer Value } ? Value : never;

const text = 'é'.repeat(50_000);
const bytes = Buffer.from(text);

/** Each kind that there is, as large as it gets: the compiler names one that is missing. */
const operations: { readonly [Case in Operation['$case']]: OfCase<Operation, Case> } = {
  detokenize: {
    expressions: [text, text],
    purpose: UsePurpose.USE_PURPOSE_PROXY,
    purposeId: text,
    proxy: { keyHash: text, version: 1, variables: bytes, encrypted: text },
  },
  createToken: { body: bytes, parentId: text },
  getToken: { tokenId: text },
  deleteToken: { tokenId: text },
  tokenize: { body: bytes },
  updateToken: { tokenId: text, patch: bytes },
  listTokens: { query: text, paging: Paging.PAGING_NUMBERED, parentId: text },
  searchTokens: { body: bytes, paging: Paging.PAGING_NUMBERED },
  associateTokens: { parentId: text, childId: text },
  dissociateTokens: { parentId: text, childId: text },
  createSession: {},
  authorizeSession: { body: bytes, localDestinations: true },
  createTokenIntent: { body: bytes },
  deleteTokenIntent: { intentId: text },
  sealAnswer: { scope: bytes, plaintext: bytes },
  openAnswer: { scope: bytes, sealed: bytes },
  createKey: { body: bytes },
  listKeys: { query: text },
  getKey: { keyId: text },
  deleteKey: { keyId: text },
  dryDetokenize: {
    use: {
      expressions: [text, text],
      purpose: UsePurpose.USE_PURPOSE_PROXY,
      purposeId: text,
      proxy: { keyHash: text, version: 1, variables: bytes, encrypted: text },
    },
  },
};

const outcomes: { readonly [Case in Outcome['$case']]: OfCase<Outcome, Case> } = {
  error: { code: text, message: text, problems: [{ path: text, messages: [text, text] }] },
  detokenized: { unselectedPaths: [], readable: [], values: [text, text] },
  token: { id: text, json: bytes },
  deleted: {},
  tokenized: { json: bytes },
  page: { json: bytes },
  done: {},
  session: { json: bytes },
  answer: { value: bytes },
  key: { id: text, json: bytes },
  dryDetokenized: {
    expressions: [
      { tokenId: text, container: text, rule: 7, allowed: true, reason: text, standIn: text },
      { tokenId: text, container: text, allowed: false, reason: text },
    ],
    refusal: { code: text, message: text, problems: [{ path: text, messages: [text] }] },
    unselectedPaths: [text],
  },
};

const anyCall: Omit<VaultCall, 'operation'> = {
  id: 1,
  timeoutMs: 1000,
  traceparent: 't',
  correlationId: 'c',
  apiKey: text,
  delegation: { owner: { $case: 'proxyKeyHash', value: text }, version: 1, applicationId: text },
};

describe('the size of what the vault is asked and answers', () => {
  for (const [$case, value] of Object.entries(operations)) {
    it(`is that of the call on the wire: ${$case}`, () => {
      const call: VaultCall = { ...anyCall, operation: { $case, value } as Operation };
      expectSize(wireSize(call), VaultCall.encode(call).finish().length);
    });
  }

  for (const [$case, value] of Object.entries(outcomes)) {
    it(`is that of the reply on the wire: ${$case}`, () => {
      const reply: VaultReply = { id: 1, outcome: { $case, value } as Outcome, replayed: true };
      expectSize(wireSize(reply), VaultReply.encode(reply).finish().length);
    });
  }
});

/** Never less, so that no message is larger than what may be sent; and not much more. */
function expectSize(counted: number, encoded: number): void {
  expect(counted).to.be.within(encoded, encoded * 1.01 + 400);
}
