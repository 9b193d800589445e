import { startDestination } from '../destination.ts';
import { createReactor } from '../reactor-story.ts';
import { until } from '../until.ts';
import { type Visit, callbackSecret, configurationSecret, pan, text } from './canary.ts';

export async function useReactors(visit: Visit, token: string): Promise<void> {
  const { api, key, answers } = visit;
  const told = 'req.configuration.SECRET + JSON.stringify(req)';
  const application = await api.application({
    name: 'canary of a reactor',
    type: 'private',
    permissions: ['token:create'],
  });
  const results: string[] = [];
  for (const statement of [
    `return { raw: { told: ${told} } }`,
    `return { raw: ${told}, tokenize: { told: ${told}, card: { type: 'card', data: { number: req.args.pan } } } }`,
    `return { tokenize: { [${told}]: { type: ${told}, data: ${told} } } }`,
    `console.log(${told}); throw new Error(${told})`,
    `throw Object.assign(new Error(${told}), { name: 'BadRequestError', status: 400, errors: { [${told}]: ${told} } })`,
    `return ${told}`,
  ]) {
    const code = `async (req) => { ${statement}; }`;
    const formula = { parameters: { text: 'string', pan: 'string' }, settings: { SECRET: 'string' } };
    const configuration = { SECRET: configurationSecret };
    for (const more of [{ configuration }, { configuration, application: { id: application.id } }]) {
      const { id } = await createReactor(api, code, formula, more);
      const args = { text: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
      answers.push((await api.send('POST', `/reactors/${id}/react`, { key, body: { args } })).text);
      const later = await api.send('POST', `/reactors/${id}/react-async`, { key, body: { args } });
      results.push(`/reactors/${id}/results/${later.json.asyncReactorRequestId}`);
      const wrong = { text: { deep: `{{${token}}}` }, pan: [pan], more: text };
      await api.send('POST', `/reactors/${id}/react`, { key, body: { args: wrong } });
      await api.send('POST', `/reactors/${id}/react`, { key, body: `{"args":{"pan":"${pan} ${text}` });
    }
  }
  await useDeliveries(visit, token);
  for (const path of results) {
    const result = () => api.send('GET', path, { key });
    await until('there is a result', async () => (await result()).status !== 404);
    answers.push((await result()).text);
  }
}

/** To an endpoint that takes nothing, so that they wait. */
async function useDeliveries(visit: Visit, token: string): Promise<void> {
  const { api, key, secrets } = visit;
  await using receiver = await startDestination();
  receiver.answer = (_received, response) => response.writeHead(500).end();
  const events = ['reactor.invoked', 'reactor.completed', 'reactor.failed'];
  const hook = await api.manage('POST', '/webhooks', { name: 'canary', url: receiver.url, events });
  secrets['webhookKey'] = hook.json.secret.slice('whsec_'.length);
  for (const code of [
    '({ args }) => ({ raw: args })',
    '({ args }) => { throw new Error(JSON.stringify(args)) }',
  ]) {
    const { id } = await createReactor(api, code);
    const body = {
      args: { text: `{{ ${token} }}`, pan },
      callback_url: `${receiver.url}?${callbackSecret}`,
    };
    await api.send('POST', `/reactors/${id}/react`, { key, body });
  }
  const cameTo = (url: RegExp) => receiver.received.filter((one) => url.test(one.url)).length;
  await until('all were tried', () => cameTo(/^\/$/) >= 4 && cameTo(/canary/) >= 2);
}
