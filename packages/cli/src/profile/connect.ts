import { Api } from '../api/api.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type Profile, checkUrl } from './profile.ts';

/** For what belongs to the tenant: resources, log, versions. @throws CliError */
export function managementApi(profile: Profile): Api {
  if (profile.managementKey === undefined) {
    throw new CliError('a management key is needed: set GLOVEBOX_MANAGEMENT_KEY or run glovebox login');
  }
  return new Api(urlOf(profile), profile.managementKey);
}

/** For what uses tokens. @throws CliError */
export function useApi(profile: Profile): Api {
  if (profile.apiKey === undefined) {
    throw new CliError(
      'an API key that is not a management key is needed: set GLOVEBOX_API_KEY or run glovebox login',
    );
  }
  return new Api(urlOf(profile), profile.apiKey);
}

function urlOf({ url }: Profile): string {
  if (url === undefined) throw new CliError('the address is missing: set GLOVEBOX_URL or run glovebox login');
  return checkUrl(url);
}
