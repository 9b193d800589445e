/** A page of the console; no other address can be reached by signing in. */
const ownPage = /^\/console(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/;
const longest = 1000;
const nowhere = 'http://_';

/** Where to go after signing in. @returns the console's first page for anything else than a page of it */
export function returnTo(wanted: string | null | undefined): string {
  return wanted !== null && wanted !== undefined && wanted.length <= longest && isOwnPage(wanted)
    ? wanted
    : '/console';
}

/** As browsers read it too: `..` and `%2e%2e` lead out of the console (WHATWG URL, section 4.4). */
function isOwnPage(wanted: string): boolean {
  return ownPage.test(wanted) && ownPage.test(new URL(wanted, nowhere).pathname);
}
