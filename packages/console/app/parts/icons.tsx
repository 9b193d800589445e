/** Lines of 24 × 24. */
const paths = {
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  invocations: 'M4 13h3l2.500-7 4 12 2.500-5h4',
  proxies: 'M4 8h13l-3-3M20 16H7l3 3',
  reactors: 'M13 3L5 13.5h6L10.5 21 19 10.5h-6z',
  formulas: 'M8 4h8M9 4v6l-5 9h16l-5-9V4',
  webhooks: 'M5 12a7 7 0 0 1 14 0M8 12a4 4 0 0 1 8 0M12 12v8',
  applications: 'M8 18a4 4 0 1 1 3-7l8-8M16 6l3 3',
  members:
    'M9 12a3.2 3.2 0 1 0 0-6 3.2 3.2 0 0 0 0 6M3.5 19c.8-3 2.9-4.5 5.5-4.5s4.7 1.500 5.500 4.500M15.500 6.500a3 3 0 0 1 0 5.500M17 14.800c1.800.6 3 2 3.500 4.200',
  egress: 'M4 12h14M13 6l6 6-6 6M4 5v14',
  audit: 'M6 4h9l4 4v12H6zM9 12h7M9 16h5',
  keys: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5zM12 14.500v2.500',
  tokens: 'M12 4l7 4v8l-7 4-7-4V8zM12 12l7-4M12 12v8M12 12L5 8',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100',
  docs: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 17h14',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12M15.500 15.500L20 20',
  box: 'M3 8l9-5 9 5v8l-9 5-9-5zM8.500 11.500a3.500 3.500 0 0 1 7 0v3h-7z',
  warning: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17M12 7.500v5.500M12 16.200v.1',
  check: 'M5 12.500l4.500 4.500L19 7.500',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
