import type { Api } from './api.ts';
import { type JsonObject, isObject, plainText } from './json.ts';

/**
 * Everything that a list has, over all its pages, by number or by cursor.
 * @param identity the member that tells items apart: pages by number shift while something is created
 * @param pageSize the most that the list allows
 */
export async function listAll(
  api: Api,
  path: string,
  identity = 'id',
  pageSize = 100,
): Promise<JsonObject[]> {
  const size = String(pageSize);
  const found = new Map<string, JsonObject>();
  let query: Record<string, string> = { size };
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await api.read(path, query);
    const items = Array.isArray(data) ? data.filter(isObject) : [];
    for (const item of items) found.set(plainText(item[identity]), item);
    const { next, total_pages: pages } = isObject(pagination) ? pagination : {};
    if (typeof next === 'string') query = { size, start: next };
    else if (typeof pages === 'number' && page < pages) query = { size, page: plainText(page + 1) };
    else return [...found.values()];
  }
}
