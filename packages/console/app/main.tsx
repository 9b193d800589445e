import './styles/tokens.css';
import './styles/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { ApiError } from './api/client.ts';
import { App } from './app.tsx';

const client = new QueryClient({
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
