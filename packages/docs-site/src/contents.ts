/** A page that is made of a Markdown file. */
export interface Chapter {
  readonly title: string;
  /** In the repository. */
  readonly source: string;
}

export interface Part {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

const chapter = (title: string, source: string): Chapter => ({ title, source });

/** The navigation, in its order. Pages that are only linked, such as decisions and runbooks, are in `furtherSources`. */
export const parts: readonly Part[] = [
  {
    title: 'Start',
    chapters: [
      chapter('Documentation', 'docs/README.md'),
      chapter('What it is for', 'docs/start/README.md'),
      chapter('On your machine', 'docs/local.md'),
      chapter('Charge a card', 'docs/start/charge.md'),
      chapter('Write, try, ship a transform', 'docs/start/transform.md'),
      chapter('Who used a token', 'docs/start/who.md'),
      chapter('Why a request failed', 'docs/start/failures.md'),
      chapter('With the client', 'docs/start/client.md'),
      chapter('From the browser', 'docs/start/browser.md'),
      chapter('Inbound', 'docs/start/inbound.md'),
      chapter('Receive events', 'docs/start/webhooks.md'),
      chapter('The console', 'docs/console.md'),
      chapter('JavaScript client', 'packages/sdk/README.md'),
      chapter('Command line', 'docs/cli.md'),
      chapter('Examples', 'docs/contract/examples.md'),
    ],
  },
  {
    title: 'Concepts',
    chapters: [
      chapter('Tenant', 'docs/concepts/tenant.md'),
      chapter('Applications and keys', 'docs/concepts/application.md'),
      chapter('Container', 'docs/concepts/container.md'),
      chapter('Access rule', 'docs/concepts/rule.md'),
      chapter('Token and mask', 'docs/concepts/token.md'),
      chapter('Expression', 'docs/concepts/expression.md'),
      chapter('Proxy', 'docs/concepts/proxy.md'),
      chapter('Transform', 'docs/concepts/transform.md'),
      chapter('Formula and reactor', 'docs/concepts/reactor.md'),
      chapter('bt', 'docs/concepts/bt.md'),
      chapter('Invocation', 'docs/concepts/invocation.md'),
      chapter('Egress', 'docs/concepts/egress.md'),
      chapter('Glossary', 'docs/glossary.md'),
      chapter('Architecture', 'docs/architecture.md'),
      chapter('Threat model', 'docs/threat-model.md'),
      chapter('Evidence', 'docs/evidence.md'),
      chapter('PCI DSS', 'docs/pci.md'),
    ],
  },
  {
    title: 'Cookbook',
    chapters: [
      chapter('All recipes', 'docs/cookbook/README.md'),
      chapter('Stripe', 'docs/cookbook/stripe/README.md'),
      chapter('Adyen', 'docs/cookbook/adyen/README.md'),
      chapter('Braintree', 'docs/cookbook/braintree/README.md'),
      chapter('Checkout.com', 'docs/cookbook/checkout/README.md'),
      chapter('A bank with mutual TLS', 'docs/cookbook/bank-mtls/README.md'),
      chapter('3-D Secure data', 'docs/cookbook/three-d-secure/README.md'),
      chapter('Rotate a network token', 'docs/cookbook/network-token-rotation/README.md'),
      chapter('PGP-encrypted CSV to SFTP', 'docs/cookbook/pgp-csv-to-sftp/README.md'),
      chapter('JWE to an issuer', 'docs/cookbook/jwe-to-issuer/README.md'),
      chapter('ISO 8583 over HTTPS', 'docs/cookbook/iso-8583/README.md'),
      chapter('HMAC signature', 'docs/cookbook/hmac-signature/README.md'),
      chapter('OAuth 1.0a signature', 'docs/cookbook/oauth1-signature/README.md'),
      chapter('SOAP', 'docs/cookbook/soap/README.md'),
      chapter('PDF with a masked number', 'docs/cookbook/pdf-masked-number/README.md'),
      chapter('KYC upload', 'docs/cookbook/kyc-upload/README.md'),
      chapter('FHIR patient', 'docs/cookbook/fhir-patient/README.md'),
      chapter('SMS with a name', 'docs/cookbook/sms/README.md'),
      chapter('Retry without charging twice', 'docs/cookbook/retry/README.md'),
      chapter('Tokenize a response', 'docs/cookbook/tokenize-response/README.md'),
      chapter('Route by card BIN', 'docs/cookbook/bin-routing/README.md'),
      chapter('Imports in bulk', 'docs/cookbook/bulk-import/README.md'),
    ],
  },
  {
    title: 'Reference',
    chapters: [
      chapter('Conventions', 'docs/contract/conventions.md'),
      chapter('Tenants, applications, rules', 'docs/contract/tenants.md'),
      chapter('People', 'docs/contract/people.md'),
      chapter('Tokens', 'docs/contract/tokens.md'),
      chapter('Expressions', 'docs/contract/expressions.md'),
      chapter('Filters', 'docs/filters.md'),
      chapter('Proxies', 'docs/contract/proxies.md'),
      chapter('Code: req, results, bt', 'docs/code.md'),
      chapter('Types for your editor', 'packages/code-types/README.md'),
      chapter('Transforms', 'docs/contract/transforms.md'),
      chapter('Reactors', 'docs/contract/reactors.md'),
      chapter('Versions and conflicts', 'docs/contract/versions.md'),
      chapter('Rollouts', 'docs/contract/rollouts.md'),
      chapter('Invocations', 'docs/contract/invocations.md'),
      chapter('Trying code, dry runs', 'docs/contract/dry-runs.md'),
      chapter('Packages for your code', 'docs/user-packages.md'),
      chapter('Destinations', 'docs/contract/destinations.md'),
      chapter('Webhooks and signatures', 'docs/contract/webhooks.md'),
      chapter('Exports of the log', 'docs/contract/audit-export.md'),
      chapter('Erasure', 'docs/contract/erasure.md'),
      chapter('Client encryption', 'docs/client-encryption.md'),
      chapter('Idempotency', 'docs/idempotency.md'),
      chapter('Warnings', 'docs/warnings.md'),
      chapter('Limits', 'docs/contract/limits.md'),
      chapter('Errors and permissions', 'docs/contract/errors.md'),
      chapter('Choices', 'docs/contract/choices.md'),
      chapter('Contract', 'docs/contract/README.md'),
      chapter('Existing clients', 'docs/contract/clients.md'),
    ],
  },
  {
    title: 'Operate',
    chapters: [
      chapter('What to do when', 'docs/operate/README.md'),
      chapter('Sizing', 'docs/operate/sizing.md'),
      chapter('Scaling', 'docs/scaling.md'),
      chapter('Install', 'docs/installing.md'),
      chapter('Kubernetes', 'deploy/k8s/README.md'),
      chapter('Images', 'deploy/images/README.md'),
      chapter('Settings', 'docs/settings.md'),
      chapter('Commands', 'docs/operating.md'),
      chapter('Key ceremonies', 'docs/key-ceremonies.md'),
      chapter('Failure modes', 'docs/failure-modes.md'),
      chapter('Benchmarks', 'docs/benchmarks.md'),
      chapter('Disaster recovery', 'docs/disaster-recovery.md'),
      chapter('Without the internet', 'docs/air-gapped.md'),
      chapter('Runbooks', 'docs/runbooks/README.md'),
      chapter('Changes', 'CHANGELOG.md'),
    ],
  },
  {
    title: 'Move in',
    chapters: [
      chapter('From the hosted service', 'docs/moving/from-the-hosted-service.md'),
      chapter('From VGS', 'docs/moving/from-vgs.md'),
      chapter('From Skyflow', 'docs/moving/from-skyflow.md'),
      chapter('Compare', 'docs/compare.md'),
    ],
  },
];

/** Patterns of the other Markdown files that have a page. */
export const furtherSources = ['docs/**/*.md', 'CONTRIBUTING.md', 'SECURITY.md'] as const;

/** Patterns of the pictures that pages show. */
export const pictureSources = ['docs/**/*.svg'] as const;
