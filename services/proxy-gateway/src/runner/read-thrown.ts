import { framingHeaders, readHeaders, valueOf, withoutHeaders } from '@glovebox/egress/header-list';
import { responseHeaders } from '@glovebox/egress/headers';
import { isJsonObject } from '@glovebox/platform/values/json-object';
import type { FunctionRefused, FunctionResponded } from '@glovebox/protos/runner/v1/runner';

import { guardHeader } from '../guard/response-guard.ts';
import { ThrownResponse } from '../http/thrown-response.ts';

export function thrownProblem({ status, detail, problems }: FunctionRefused): ThrownResponse {
  const errors = Object.fromEntries(problems.map(({ path, messages }) => [path, messages]));
  const title = 'One or more validation errors occurred.';
  return new ThrownResponse({ problem: { errors, title, status, detail } });
}

/** @throws AppError `internal` for headers that HTTP cannot carry. */
export function thrownResponse(
  { status, json, leaks }: FunctionResponded,
  maxHeaderBytes: number,
): ThrownResponse {
  const thrown: unknown = JSON.parse(json.toString());
  const { headers: given, body } = isJsonObject(thrown) ? thrown : {};
  const headers = withoutHeaders(
    responseHeaders(readHeaders(given, maxHeaderBytes, 'The code threw a response with')),
    framingHeaders,
  );
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== '' && typeof body !== 'string' && valueOf(headers, 'content-type') === undefined) {
    headers.push('Content-Type', 'application/json');
  }
  if (leaks) headers.push(...guardHeader);
  return new ThrownResponse({ response: { status, headers, body: Buffer.from(text) } });
}
