import { type Visit, configurationSecret, pan } from './canary.ts';

/** What code does by bt: it works, is refused, and fails where nobody catches it. */
export async function useBt(visit: Visit, token: string): Promise<void> {
  const { api, destination, secrets, answers } = visit;
  const permissions = ['token:create', 'token:read'];
  const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions }];
  const { id } = await api.application({ name: 'canary of bt', type: 'private', rules });
  const configuration = { SECRET: configurationSecret, KEY: secrets['apiKey'] };
  for (const call of [
    `bt.tokens.create({ type: 'card_number', data: args.body.pan, metadata: {} })`,
    `bt.tokens.retrieve('${token}')`,
    `bt.tokenize([args.body.pan, args.body.t, configuration.SECRET])`,
    `bt.tokens.create({ type: 'card', data: args.body })`,
    `bt.tokens.create({ type: args.body.t, data: configuration.SECRET })`,
    `bt.tokens.retrieve(args.body.t + configuration.SECRET)`,
    `bt.tokens.retrieve('x', { apiKey: configuration.KEY })`,
    `bt.tokens.delete(args.body.pan, { apiKey: args.body.t })`,
    `bt.reactors.react(args.body.t, { args: args.body })`,
    `bt.tokens.search({ query: args.body.pan })`,
  ]) {
    const code = `module.exports = async ({ args, bt, configuration }) => ({ body: await ${call} })`;
    const body = { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
    const more = { configuration, application: { id }, request_transform: { code } };
    const proxy = await api.proxy(destination.url, more);
    answers.push((await api.invoke(proxy.key, 'POST', '', { body })).text);
  }
}
