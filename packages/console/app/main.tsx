import './styles/tokens.css';
import './styles/base.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { ApiError } from './api/client.ts';
import { App } from './app.tsx';

/** Whoever is not signed in any more is asked to sign in, wherever they notice. */
const queryCache = new QueryCache({
  onError(error) {
    if (error instanceof ApiError && error.status === 401) {
      void client.invalidateQueries({ queryKey: ['session'] });
    }
  },
});
const client = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // What the service refuses it refuses again.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});

const place = document.querySelector('#console');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
