import { expect } from 'chai';

import { type Answer, type Json, type Sent, apiOf } from './api.ts';
import { errorMembers } from './check-answer.ts';
import { type System, sharedSystem } from './system.ts';

export interface Formula {
  /** Names and types of what it takes; a question mark behind the name makes it optional. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Names and types of its configuration. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What stories about reactors begin with: the shared system, and formulas in one line. */
export function reactorStory() {
  let api: ReturnType<typeof apiOf>;
  let system: System;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
  });
  return {
    get api() {
      return api;
    },
    /** The private application's. */
    get key() {
      return system.dev.private_api_key;
    },
    /** A new reactor whose code is this function; gives it as the API does. */
    reactor: (code: string, formula?: Formula, more?: object): Promise<Json> =>
      createReactor(api, code, formula, more),
    /** Invokes a reactor with the private application's key unless another is given. */
    react: ({ id }: Json, args: unknown, sent: Sent = {}): Promise<Answer> =>
      api.send('POST', `/reactors/${id}/react`, { key: system.dev.private_api_key, body: { args }, ...sent }),
  };
}

/** @param code text of a function */
export async function createReactor(
  api: ReturnType<typeof apiOf>,
  code: string,
  { parameters = {}, settings = {} }: Formula = {},
  more: object = {},
): Promise<Json> {
  const created = await api.manage('POST', '/reactor-formulas', {
    type: 'private',
    name: 'story',
    code: `module.exports = ${code}`,
    configuration: Object.entries(settings).map(([name, type]) => ({ name, type })),
    request_parameters: Object.entries(parameters).map(([name, type]) => ({
      name: name.replace('?', ''),
      type,
      optional: name.endsWith('?'),
    })),
  });
  if (created.status !== 201) throw new Error(`expected a formula, got ${created.text}`);
  const body = { name: 'story', formula: { id: created.json.id }, configuration: {}, ...more };
  const reactor = await api.manage('POST', '/reactors', body);
  if (reactor.status !== 201) throw new Error(`expected a reactor, got ${reactor.text}`);
  return reactor.json;
}

/** A failure in the common error format (contract/errors.md#error-object), and nothing around it. */
export function expectError(answer: Answer, status: number, text: RegExp): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.json).to.have.all.keys(errorMembers);
  expect(answer.json.status).to.equal(status);
  expect(answer.text).to.match(text);
}
