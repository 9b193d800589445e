/**
 * What services that are ready say of themselves, such as that something could not be fetched.
 * @param readyUrls of their internal ports
 */
export async function notesOf(readyUrls: readonly string[]): Promise<string[]> {
  return (await Promise.all(readyUrls.map(notesAt))).flat();
}

/** A service that does not answer has no notes: its failure is reported elsewhere. */
async function notesAt(url: string): Promise<string[]> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
    const { notes = {} } = (await answer.json()) as { notes?: Record<string, string> };
    return Object.values(notes);
  } catch {
    return [];
  }
}
