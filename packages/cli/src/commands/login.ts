import { Api } from '../api/api.ts';
import { plainText } from '../api/json.ts';
import { checkUrl, saveProfile } from '../profile/profile.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import { askHidden, readInput } from '../terminal/read-input.ts';
import type { Call, Command } from './command.ts';

export const login: Command = {
  name: 'login',
  takes: [],
  flags: { url: { type: 'string', value: 'URL', does: 'Where Glovebox is; else `GLOVEBOX_URL`.' } },
  does: 'Keeps the address and the keys in a file of yours, once they work. Keys come from standard input, one a line, or are asked for.',
  async run(call) {
    const given = call.text('url') ?? call.env['GLOVEBOX_URL'];
    if (given === undefined || given === '') throw new UsageError('--url is missing');
    const url = checkUrl(given);
    const keys = await readKeys(call);
    if (keys.length === 0) throw new CliError('no key was given');
    const found: { managementKey?: string; apiKey?: string } = {};
    for (const key of keys) {
      const { type, name } = await new Api(url, key).read('/applications/key');
      found[type === 'management' ? 'managementKey' : 'apiKey'] = key;
      call.out.note(`${plainText(type)} key of ${plainText(name)}`);
    }
    const profile = call.text('profile') ?? 'default';
    const path = saveProfile(call.env, profile, { url, ...found });
    call.out.result({ profile, url, path }, `profile ${profile} is in ${path}`);
    return 0;
  },
};

/** Never from an argument: others see those, and the shell keeps them. */
async function readKeys({ out }: Call): Promise<string[]> {
  if (!process.stdin.isTTY) return readInput('-').split(/\s+/).filter(Boolean);
  out.note('Keys are not shown. An empty line leaves one out.');
  const keys = [await askHidden('management key: '), await askHidden('API key: ')];
  return keys.filter(Boolean);
}
