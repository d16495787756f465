import { Fragment, type ReactNode, useSyncExternalStore } from 'react'
import { homePath } from '#/data/redirect-uri.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { useStartingToast } from '#/kit/feedback/use-starting-toast.ts'
import { toasts } from '#/ui/overlays/toast.ts'
import { deviceSuccess } from './device.success.tsx'
import { deviceVerify } from './device.verify.tsx'
import { localLogin } from './login.$silo.local.tsx'
import { samlLogin } from './login.$silo.saml.$provider.tsx'
import { loginDone } from './login.done.tsx'
import { login } from './login.index.tsx'
import { loginTested } from './login.tested.tsx'
import { type Page, type PageContext, returnAt } from './page.ts'

const pages: readonly (readonly [path: RegExp, page: Page])[] = [
  [/^\/login\/?$/, login],
  [/^\/login\/done\/?$/, loginDone],
  [/^\/login\/tested\/?$/, loginTested],
  [/^\/login\/(?<silo>[^/]+)\/local\/?$/, localLogin],
  [/^\/login\/(?<silo>[^/]+)\/saml\/(?<provider>[^/]+)\/?$/, samlLogin],
  [/^\/device\/verify\/?$/, deviceVerify],
  [/^\/device\/success\/?$/, deviceSuccess],
]

/** The page at this address, once ready; undefined if there is none. */
export async function open(
  { pathname, search, href }: Location,
  navigation: Pick<PageContext, 'go' | 'replace'>,
): Promise<ReactNode> {
  for (const [path, page] of pages) {
    const match = path.exec(pathname)
    if (!match) continue
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    const context: PageContext = { params, search: new URLSearchParams(search), ...navigation }
    const content = await page(context)
    const app = (
      <Fragment key={href}>
        {content}
        <StartingToast />
      </Fragment>
    )
    if (import.meta.env.MODE !== 'preview') return app
    const { frameSignIn } = await import('#/preview/start.tsx')
    return frameSignIn(app, () => context.replace(returnAt(context) ?? homePath))
  }
  return undefined
}

const Toasts = lazyPart(() => import('#/ui/overlays/Toasts.tsx'), 'Toasts')

/** Most visits meet no starting server and show no other toast, so the code of toasts loads separately. */
function StartingToast() {
  useStartingToast()
  const hasToasts = useSyncExternalStore(toasts.subscribe, () => toasts.get().length > 0)
  return hasToasts && <Toasts />
}
