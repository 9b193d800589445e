import { until } from '../until.ts';
import { type Visit, configurationSecret, pan } from './canary.ts';

/** Statements that write to an invocation's log. */
const writing: ((told: string) => string)[] = [
  (told) => `console.log(${told})`,
  (told) => `console.error(new Error(${told}), { told: ${told} }, '%s', ${told})`,
  (told) => `process.stdout.write(${told}); process.stderr.write(${told} + '\\n')`,
];

/** Code gets every secret there is, and tells it in all that it can say. */
export async function useTransforms(visit: Visit, token: string): Promise<void> {
  const { api, destination, logs } = visit;
  const told = 'req.configuration.SECRET + JSON.stringify(req)';
  const known = `Object.assign(new Error(${told}), { name: 'BadRequestError', status: 400 })`;
  for (const statement of [
    `return { headers: { 'X-Told': req.configuration.SECRET }, body: { told: ${told} } }`,
    `return { headers: { A: ${told} + '€', ['B ' + ${told}]: '' } }`,
    `throw new Error(${told})`,
    `throw ${known}`,
    `return { [${told}]: [ToldOf(${told})] }`,
    `return ${told}`,
    ...writing.map((write) => `${write(told)}; return { body: {} }`),
  ]) {
    const code = `module.exports = async (req) => { ${statement}; }`;
    const configuration = { SECRET: configurationSecret };
    for (const side of ['request_transform', 'response_transform']) {
      const proxy = await api.proxy(destination.url, { [side]: { code }, configuration });
      await api.invoke(proxy.key, 'POST', '', {
        body: { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan },
      });
      if (!statement.startsWith('return')) logs.push(await logOf(visit, proxy.id));
    }
  }
}

/** What the tenant is told of the code, once it is. */
async function logOf({ api, key }: Visit, proxyId: string): Promise<string> {
  const list = () => api.send('GET', `/proxies/${proxyId}/invocations`, { key });
  await until('the invocation is told of', async () => (await list()).json.data.length > 0);
  return (await list()).text;
}
