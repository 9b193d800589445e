import { makeLazyEnvironment } from '../../node16/isolate/lazy-environment.ts';
import type { EngineLimits } from '../../worker-protocol/worker-options.ts';
import { jsonProblem, readJson } from './json-problem.ts';
import { makeBtRequests } from './make-bt-requests.ts';
import { makeBt } from './make-bt.ts';
import { makeDescribe } from './make-describe.ts';
import { makeEntry } from './make-entry.ts';
import { makeGuardHost } from './make-guard-host.ts';
import { makeImport } from './make-import.ts';
import { makeParse } from './make-parse.ts';
import { makePrepare } from './make-prepare.ts';
import { makeSettlement } from './make-settlement.ts';
import { makeWatchWorld } from './make-watch-world.ts';
import { settledAs } from './settled-as.ts';
import { tidyWorld } from './tidy-world.ts';

const maxErrorLength = 4000;

/**
 * What runs in an isolate before user code, as the body of a function whose `$0` arms the worker's timer,
 * `$1`, `$2` and `$3` reach the host (user-isolate.ts). It returns an IsolateEntry. Its parts are source text of functions, so these use nothing but their
 * parameters and the language. User code reaches none of their variables.
 */
export function preludeSource(
  { resultLength, btRequestsAtOnce, btRequestsPerCall, btRequestBytes }: EngineLimits,
  userFile: string,
): string {
  const limits = JSON.stringify({ btRequestsAtOnce, btRequestsPerCall, btRequestBytes });
  const call = (part: (...args: never[]) => unknown, args = '') => `(${part.toString()})(${args})`;
  return `
    'use strict';
    const { parse } = JSON;
    const jsonProblem = (text) => ${call(jsonProblem, `text, ${readJson.toString()}`)};
    ${call(tidyWorld, call(makeParse, 'jsonProblem'))};
    const [arm, bridge, library, bundle] = [$0, $1, $2, $3].map(${call(makeGuardHost)});
    const settledAs = ${JSON.stringify(settledAs)};
    const describe = ${call(makeDescribe, `${maxErrorLength}, ${resultLength / 2}`)};
    const onSettled = () => {
      environment.end();
      btRequests.clear();
    };
    const settlement = ${call(
      makeSettlement,
      `{ describe, onSettled, settledAs, maxResultLength: ${resultLength} }`,
    )};
    const onError = (thrown) => settlement.fail(settlement.current(), thrown);
    const isCurrent = (which) => which === settlement.current() && settlement.take() === undefined;
    const btRequests = ${call(makeBtRequests, `{ bridge, isCurrent, limits: ${limits} }`)};
    const bt = ${call(makeBt, '{ btRequests, bridge, bundle }')};
    const own = { '@glovebox/sdk': bt.module };
    const environment = ${call(makeLazyEnvironment, '{ arm, bridge, library, bundle, own, onError }')};
    const prepare = ${call(makePrepare, `environment, ${call(makeWatchWorld)}`)};
    const importModule = ${call(makeImport, 'environment.require')};
    const parts = { parse, settlement, environment, btRequests, bt, settledAs, prepare, importModule, userFile: ${JSON.stringify(userFile)} };
    return ${call(makeEntry, 'parts')};
  `;
}
