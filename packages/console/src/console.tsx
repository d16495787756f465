import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createQueryClient } from './data/query-client.ts'
import { followLinks } from './shell/follow-links.ts'
import { createConsoleRouter } from './shell/router.tsx'

/** The signed-in console at the current address, resolved when its first page is ready. */
export async function open(): Promise<ReactNode> {
  const queryClient = createQueryClient()
  const router = createConsoleRouter(queryClient)
  if (import.meta.env.MODE === 'preview') {
    const { framePreview } = await import('./preview/start.tsx')
    framePreview(router, queryClient)
  }
  const root = document.getElementById('root')
  if (root) followLinks(router, root)
  await router.load()
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
