import { expect } from 'chai';

import type { Answer, TestApi } from './api.ts';

/** As the API shows it. */
export interface Version {
  readonly version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly comment?: string;
  readonly draft?: true;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** What there is to know of the versions of one resource. */
export function versionsOf(api: TestApi, path: string) {
  const get = async (version: number) =>
    JSON.parse((await api.send(`GET ${path}/versions/${version}`)).text) as Version;
  return {
    get,
    /** From the newest on. */
    async list(): Promise<readonly Version[]> {
      return listedIn(await api.send(`GET ${path}/versions?size=100`));
    },
    async numbers(): Promise<readonly number[]> {
      return (await this.list()).map(({ version }) => version);
    },
    draft: (body: object, headers: Record<string, string> = {}) =>
      api.send(`POST ${path}/versions`, { body, headers }),
    restore: (version: number, headers: Record<string, string> = {}) =>
      api.send(`POST ${path}/versions/${version}/restore`, { headers }),
  };
}

export function listedIn(answer: Answer): readonly Version[] {
  expect(answer.status, answer.text).to.equal(200);
  return (JSON.parse(answer.text) as { readonly data: readonly Version[] }).data;
}

/** The version that a header `ETag` names. */
export function tagIn({ headers, text }: Answer): number {
  const tag = headers.get('etag');
  expect(tag, text).to.match(/^"[1-9]\d*"$/);
  return Number(tag?.slice(1, -1));
}
