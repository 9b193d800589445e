/** The tags of the API document by task, in the order in which a newcomer needs them. */
export const groups: readonly { readonly task: string; readonly tags: readonly string[] }[] = [
  { task: 'Store sensitive data', tags: ['Tokens', 'Tokenization', 'Token intents', 'Keys'] },
  { task: 'Use it without touching it', tags: ['Proxy invocation', 'Reactor invocation', 'Sessions'] },
  { task: 'Configure where it goes', tags: ['Proxies', 'Reactors', 'Reactor formulas', 'Webhooks'] },
  {
    task: 'Decide who may do what',
    tags: ['Applications', 'Application keys', 'Application templates', 'Tenants'],
  },
  { task: 'See what happened', tags: ['Logs', 'Documentation'] },
];
