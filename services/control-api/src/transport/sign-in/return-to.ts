/** A page of the console; no other address can be reached by signing in. */
const ownPage = /^\/console(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/;
const longest = 1000;

/** Where to go after signing in. @returns the console's first page for anything else than a page of it */
export function returnTo(wanted: string | null | undefined): string {
  return wanted !== null && wanted !== undefined && wanted.length <= longest && ownPage.test(wanted)
    ? wanted
    : '/console';
}
