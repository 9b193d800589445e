import { setTimeout as pause } from 'node:timers/promises';

import { type Json, send } from './api.ts';
import type { Topology } from './topology.ts';
import { until } from './until.ts';

const header = 'X-Customer';
const callers = 12;
/** Between two requests of a caller, once each customer was asked. */
const restMs = 100;

/** A proxy of version 1 whose draft, version 2, is rolled out by a header. Each version tells its number. */
export interface RolledOutProxy {
  readonly id: string;
  /** Changes the share; again until it is acknowledged. */
  rollOut(percent: number): Promise<void>;
  /**
   * Which version each customer gets, asked in turn until the work is done and all were asked.
   * @param judge says what is wrong with the version that a customer got; undefined: nothing
   * @returns what was wrong, and how many requests broke off without an answer
   */
  askWhile(
    work: Promise<unknown>,
    customers: readonly string[],
    judge: (customer: string, version: number) => string | undefined,
  ): Promise<{ readonly wrong: readonly string[]; readonly broken: number }>;
}

/** @param topology its destination answers with what it was sent */
export async function rolledOutProxy(
  { url, tenant }: Topology,
  destinationUrl: string,
): Promise<RolledOutProxy> {
  const manage = (method: string, path: string, body?: object) =>
    send(url, method, path, { key: tenant.management_api_key, beyondDefaults: true, ...(body && { body }) });
  const version = (n: number) => ({
    name: 'rolled out',
    destination_url: destinationUrl,
    configuration: { N: String(n) },
  });
  const { id, key }: Json = (await manage('POST', '/proxies', version(1))).json;
  await manage('POST', `/proxies/${id}/versions`, version(2));
  const ask = async (customer: string): Promise<number | string> => {
    const headers = { 'SVC-PROXY-KEY': key, [header]: customer };
    const sent = {
      key: tenant.private_api_key,
      headers,
      body: { n: '{{ config: N }}' },
      beyondDefaults: true,
    };
    const { status, json, text } = await send(url, 'POST', '/proxy', sent);
    return status === 200 ? Number(JSON.parse(json.received).n) : `${status} ${text.slice(0, 300)}`;
  };
  return {
    id,
    async rollOut(percent) {
      const body = { version: 2, percent, by: `header:${header}` };
      await until('the rollout is acknowledged', async () => {
        const answer = await manage('PUT', `/proxies/${id}/rollout`, body).catch(() => undefined);
        return answer?.status === 200;
      });
    },
    async askWhile(work, customers, judge) {
      const wrong: string[] = [];
      let broken = 0;
      const state = { isDone: false };
      const done = work.finally(() => {
        state.isDone = true;
      });
      let asked = 0;
      const call = async () => {
        while (!state.isDone || asked < customers.length) {
          const customer = customers[asked % customers.length]!;
          asked += 1;
          // By a page of the balancer's own, or by the end of the connection.
          const got = await ask(customer).catch(() => '502 <');
          const problem = typeof got === 'number' ? judge(customer, got) : got;
          if (problem?.startsWith('502 <')) broken += 1;
          else if (problem !== undefined) wrong.push(`${customer}: ${problem}`);
          // Each has been asked: the processor is for what starts again.
          if (asked >= customers.length && !state.isDone) await pause(restMs);
        }
      };
      await Promise.all([done, ...Array.from({ length: callers }, call)]);
      return { wrong, broken };
    },
  };
}
