import { startDestination } from '../destination.ts';
import { createReactor } from '../reactor-story.ts';
import { type Visit, pan, text } from './canary.ts';

/** What is answered again later, under keys that are secrets themselves. */
export async function useIdempotencyKeys(visit: Visit, token: string): Promise<void> {
  const { api, key, managementKey, secrets, answers } = visit;
  await using echo = await startDestination();
  echo.answer = (received, response) => response.end(received.body);
  const proxy = await api.proxy(echo.url);
  const reactor = await createReactor(api, '({ args }) => ({ raw: args })');
  const value = { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
  for (const name of [pan, text, pan]) {
    const headers = { 'SVC-IDEMPOTENCY-KEY': name };
    await api.send('POST', '/tokens', { key, headers, body: { type: 'token', data: value } });
    await api.send('POST', '/tokenize', { key, headers, body: [pan, text] });
    answers.push((await api.invoke(proxy.key, 'POST', '', { headers, body: value })).text);
    const invocation = { key, headers, body: { args: value } };
    answers.push((await api.send('POST', `/reactors/${reactor.id}/react`, invocation)).text);
    const application = await api.send('POST', '/applications', {
      key: managementKey,
      headers,
      body: { name: 'keyed', type: 'private', permissions: ['token:use'] },
    });
    secrets['keptApiKey'] = application.json.key;
  }
}
