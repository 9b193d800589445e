import type { Answer, Json } from './api.ts';
import { type Estate, aToken, plaintext, slowMs } from './topology-estate.ts';
import { until } from './until.ts';

/** One kind of request: sends it once and says what was wrong with the answer; undefined: nothing. */
type Kind = () => Promise<string | undefined>;

export interface Traffic {
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Resolves when every asynchronous invocation so far has its result, with what was wrong with these. */
  results(): Promise<string[]>;
}

export function trafficOf(estate: Estate): Traffic {
  const { use, manage, tokenId, reactorId, plain, transformed, changed } = estate;
  const card = `{{ ${tokenId} }}`;
  const waiting = new Set<string>();
  const through = async (path: string, { key }: Json, wanted: object) => {
    const headers = { 'SVC-PROXY-KEY': key };
    const answer = await use('POST', `/proxy${path}`, { headers, body: { card } });
    return wrong(answer, 200, answer.json?.received === JSON.stringify(wanted));
  };
  const react = (how: string, ms: number) =>
    use('POST', `/reactors/${reactorId}/${how}`, { body: { args: { card, ms } } });
  return {
    kinds: {
      proxy: () => through('', plain, { card: plaintext }),
      'slow proxy': () => through('/slow', plain, { card: plaintext }),
      transform: () => through('', transformed, { card: plaintext, added: true }),
      reactor: async () => said(await react('react', 0)),
      'slow reactor': async () => said(await react('react', slowMs)),
      'asynchronous reactor': async () => {
        const answer = await react('react-async', slowMs);
        if (answer.status === 202) waiting.add(answer.json.asyncReactorRequestId);
        return wrong(answer, 202);
      },
      'new token': async () => wrong(await use('POST', '/tokens', { body: aToken }), 201),
      'read token': async () => {
        const answer = await use('GET', `/tokens/${tokenId}`);
        return wrong(answer, 200, answer.json?.id === tokenId);
      },
      'management read': async () => wrong(await manage('GET', `/proxies/${plain.id}`), 200),
      // It has a runner look at the code, the vault seal the configuration, and the change published.
      'management write': async () => wrong(await manage('PUT', `/proxies/${changed.id}`, changed.body), 200),
    },
    async results() {
      const bad: string[] = [];
      await until('every asynchronous invocation has its result', async () => {
        for (const id of waiting) {
          const answer = await use('GET', `/reactors/${reactorId}/results/${id}`);
          if (answer.status === 404) continue;
          waiting.delete(id);
          const problem = said(answer);
          if (problem !== undefined) bad.push(problem);
        }
        return waiting.size === 0;
      });
      return bad;
    },
  };
}

const said = (answer: Answer) => wrong(answer, 200, answer.json?.raw?.said === plaintext);

function wrong(answer: Answer, status: number, holds = true): string | undefined {
  return answer.status === status && holds ? undefined : `${answer.status} ${answer.text.slice(0, 300)}`;
}
