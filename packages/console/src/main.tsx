import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/main.css'
import './shell/boot.css'
import './shell/first-load.ts'
import { createQueryClient } from './data/query-client.ts'
import { createConsoleRouter } from './shell/router.tsx'

void start()

/** A function and not the module itself: pages import from the chunk this is in, and would wait for it for ever. */
async function start(): Promise<void> {
  if (import.meta.env.MODE === 'preview') {
    const { startPreview } = await import('./preview/start.tsx')
    await startPreview()
  }
  const queryClient = createQueryClient()
  const router = createConsoleRouter(queryClient)
  if (import.meta.env.MODE === 'preview') {
    const { framePreview } = await import('./preview/start.tsx')
    framePreview(router, queryClient)
  }
  // The skeleton in index.html stays until the first page is ready.
  await router.load()
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
