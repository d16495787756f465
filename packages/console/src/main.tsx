import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import './styles/main.css'
import './shell/boot.css'
import type { PageContext } from './sign-in/page.ts'
import { loadWithRetry } from './ui/lazy-part.tsx'

const loadConsole = () => import('./console.tsx')

void start()

/** A function instead of top-level await: pages import from this chunk, and would wait for it for ever. */
async function start(): Promise<void> {
  if (import.meta.env.MODE === 'preview') {
    const { startPreview } = await import('./preview/start.tsx')
    await startPreview()
  }
  const container = document.getElementById('root')
  if (container) await run(createRoot(container))
}

/**
 * Sign-in and console are two applications (docs/decisions/0008-sign-in-entry.md), one of which is on screen. The
 * previous content, at first the skeleton of index.html, stays until the next page is ready.
 */
async function run(root: Root): Promise<void> {
  let isConsole = false
  let turns = 0

  async function show(): Promise<void> {
    const turn = (turns += 1)
    const signIn = isSignInPath(location.pathname) ? await openSignIn() : undefined
    // The user may have navigated in the meantime.
    if (turn !== turns) return
    const page = signIn ?? (await openConsole())
    // In slices, so that a slow processor answers input while it renders the page.
    startTransition(() => root.render(<StrictMode>{page}</StrictMode>))
  }
  async function openSignIn(): Promise<ReactNode> {
    const signIn = await loadWithRetry(() => import('./sign-in/open.tsx'))
    // Typing means that a sign-in is likely.
    addEventListener('input', () => void loadWithRetry(loadConsole), { once: true })
    return signIn.open(location, navigation)
  }
  async function openConsole(): Promise<ReactNode> {
    isConsole = true
    return (await loadWithRetry(loadConsole)).open()
  }

  const navigation: Pick<PageContext, 'go' | 'replace'> = {
    go(href) {
      history.pushState(null, '', href)
      void show()
    },
    replace(href) {
      history.replaceState(null, '', href)
      void show()
    },
  }
  // Runs before the listener of the console's router, which has no sign-in pages.
  addEventListener('popstate', (event) => {
    if (!isConsole) return void show()
    if (!isSignInPath(location.pathname)) return
    event.stopImmediatePropagation()
    // Clears the previous user's data from memory.
    location.reload()
  })
  await show()
}
