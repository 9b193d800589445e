/** The page from which requests can be sent; nothing in it comes from another address. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Try it · Glovebox</title>
    <link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
    <link rel="stylesheet" href="/docs/try/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/try/swagger-ui-bundle.js"></script>
    <script src="/docs/try/start.js"></script>
  </body>
</html>
`;

/** Without `validatorUrl: null`, Swagger UI sends the address of the description to a service of its authors. */
export const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  showExtensions: true,
  validatorUrl: null,
});
`;

/**
 * The page may load its own files and call this API. Inline styles are allowed for the icons of Swagger UI; inline
 * scripts are not.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages of the site run their own scripts only. */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
