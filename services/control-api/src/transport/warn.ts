import { unknownParameters, unknownProperties } from '@glovebox/openapi/known-names';
import { namesOfOperation } from '@glovebox/openapi/names-of-operation';
import {
  type Finding,
  mostFindings,
  unknownName,
  warningAlias,
  warningHeader,
  warningList,
} from '@glovebox/platform/http/warnings';
import type { Response } from 'express';

import type { Call } from '../http/call.ts';
import type { Operation } from './operation.ts';

type FindUnknown = (call: Pick<Call, 'query' | 'body'>) => readonly Finding[];

/** What finds the properties and parameters of requests that an operation does not know. */
export function unknownNames({ method, path }: Pick<Operation, 'method' | 'path'>): FindUnknown {
  const known = namesOfOperation(method, path);
  if (known === undefined) throw new Error(`${method} ${path} is not described`);
  return ({ query, body }) => [
    ...unknownParameters(known.query, query, mostFindings).map((name) => unknownName('parameter', name)),
    ...unknownProperties(known.body, body, mostFindings).map((name) => unknownName('property', name)),
  ];
}

/** @param aliases under the name of existing clients too */
export function showWarnings(response: Response, texts: readonly string[], aliases: boolean): void {
  const list = warningList(texts);
  if (list === undefined) return;
  response.setHeader(warningHeader, list);
  if (aliases) response.setHeader(warningAlias, list);
}
