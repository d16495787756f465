import { type Browser, type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import { Gantry, password } from './gantry.ts'

export { expect }
export type User = 'admin' | 'member' | 'viewer' | 'ines' | 'omar' | 'petra'

const GiB = 1024 ** 3
const blank = { type: 'blank', block_size: 512 }

interface Helpers {
  /** Opens a signed-in browser of its own; `path` is where it begins. */
  open: (user: User, path: string) => Promise<Page>
  /** Calls the API as somebody, to set a scene. */
  api: (user: User, method: string, path: string, body?: unknown) => Promise<unknown>
  /** Makes an instance in the story's project; it is stopped, small and has a boot disk unless said otherwise. */
  machine: (name: string, more?: object) => Promise<{ id: string }>
}

/** Each worker has a server process; each story makes its own project in it. */
export const test = base.extend<Helpers & { project: string }, { gantry: Gantry }>({
  gantry: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const gantry = await new Gantry().start()
      await use(gantry)
      await gantry.remove()
    },
    { scope: 'worker' },
  ],
  open: async ({ browser, gantry }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (user, path) => {
      const context = await signedIn(browser, gantry, user)
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(gantry.url + path)
      return page
    })
    for (const context of contexts) await context.close()
  },
  api: async ({ gantry }, use) => {
    const cookies = new Map<User, string>()
    await use(async (user, method, path, body) => {
      if (!cookies.has(user)) cookies.set(user, await sessionOf(gantry, user))
      const response = await fetch(gantry.url + path, {
        method,
        headers: {
          cookie: cookies.get(user) ?? '',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    })
  },
  machine: async ({ api, project }, use) => {
    await use(async (name, more = {}) => {
      const boot_disk = {
        type: 'create',
        name: `${name}-boot`,
        description: '',
        size: GiB,
        disk_source: blank,
      }
      const body = {
        name,
        description: '',
        hostname: name,
        ncpus: 2,
        memory: 2 * GiB,
        boot_disk,
        start: false,
        ...more,
      }
      return (await api('member', 'POST', `/v1/instances?project=${project}`, body)) as { id: string }
    })
  },
  project: async ({ api }, use, { testId }) => {
    // After `playground` by name, which so stays on the first page of projects however many stories there were.
    const name = `q-${testId.slice(-12)}`.toLowerCase()
    await api('admin', 'POST', '/v1/projects', { name, description: 'made for one story' })
    await use(name)
    // Behind those of later stories too; where the story has deleted it there is nothing to move.
    await api('admin', 'PUT', `/v1/projects/${name}`, { name: `z-${name}` }).catch(() => undefined)
  },
})

async function sessionOf(gantry: Gantry, username: User): Promise<string> {
  const response = await fetch(`${gantry.url}/v1/login/demo/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function signedIn(browser: Browser, gantry: Gantry, user: User): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = (await sessionOf(gantry, user)).split('=')
  await context.addCookies([{ name, value, url: gantry.url, httpOnly: true, sameSite: 'Lax' }])
  return context
}
