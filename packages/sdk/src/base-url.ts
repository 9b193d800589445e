const local = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address of the API without a trailing slash; it may have a path.
 * @throws TypeError for an invalid address, and for http to another machine, which would expose the API key and the data
 * on the network
 */
export function readBaseUrl(text: string | undefined, allowHttp: boolean): string {
  if (text === undefined) throw new TypeError('The option apiBaseUrl is required: the address of the API.');
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new TypeError('Invalid format for the given API base url.', { cause });
  }
  const isPlain = url.protocol === 'http:';
  if (
    (!isPlain && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new TypeError('Invalid format for the given API base url.');
  }
  if (isPlain && !allowHttp && !local.has(url.hostname)) {
    throw new TypeError('The API base url must be https, unless it is local or the option allowHttp is set.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
