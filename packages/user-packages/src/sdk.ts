// Code requires the client; a package of modules gives its CommonJS build to that, which only what is published has.
export * from '@glovebox/sdk/glovebox';
