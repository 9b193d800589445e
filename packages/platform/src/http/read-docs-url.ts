import type { EnvReader } from '../settings/env.ts';

/** Where the documentation of this installation is shown, absolute and without a slash at its end. */
export function readDocsUrl(env: EnvReader): string {
  const text = env.string('DOCS_URL', 'http://localhost:8080/docs').replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text))
    env.problem('DOCS_URL must be a URL that starts with https:// or http://, without ? and #');
  return text;
}
